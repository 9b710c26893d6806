(* With the libraries of this project that others use, and what replaces them. A library's modules
   are called "Library__Module", and the library's main one is called as the library. *)
let libraries =
  [
    "Stdlib";
    "Drover";
    "Drover_lockfree";
    "Drover_engine";
    "Drover_seen";
    "Drover_batched";
    "Drover_eio";
    "Drover_lwt";
    "Drover_mpi";
    "Lwt_domain";
    "Domainslib";
    "Domainslib_task";
    "Domainslib_chan";
    "Domainslib_batcher";
  ]

let rec library_end name i =
  if i = String.length name || name.[i] = '.' then i
  else if name.[i] = '_' && i + 1 < String.length name && name.[i + 1] = '_' then i
  else library_end name (i + 1)

let is_own name = List.mem (String.sub name 0 (library_end name 0)) libraries
