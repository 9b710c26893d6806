(* Call site. *)

type t = string

let outermost = "outside"

(* With the libraries of this project that others use, and what replaces them. *)
let libraries =
  [
    "Stdlib";
    "Drover";
    "Drover_lockfree";
    "Drover_engine";
    "Drover_seen";
    "Drover_batched";
    "Drover_bridge";
    "Drover_eio";
    "Drover_lwt";
    "Drover_mpi";
    "Drover_race";
    "Lwt_domain";
    "Domainslib";
    "Domainslib_task";
    "Domainslib_chan";
    "Domainslib_batcher";
  ]

(* A library's modules are called "Library__Module", and its main one is called as the library. *)
let is_own name =
  let is_of library =
    name = library
    || String.starts_with ~prefix:(library ^ ".") name
    || String.starts_with ~prefix:(library ^ "__") name
  in
  List.exists is_of libraries

(* Without the names of libraries, which the compiler puts before those of modules. *)
let short name =
  let rec start i =
    if i < 2 then 0 else if name.[i - 1] = '_' && name.[i - 2] = '_' then i else start (i - 1)
  in
  let i = start (Option.value (String.index_opt name '.') ~default:(String.length name)) in
  String.sub name i (String.length name - i)

let of_slot slot =
  match (Printexc.Slot.name slot, Printexc.Slot.location slot) with
  | Some name, _ when is_own name -> None
  | Some name, Some l -> Some (Printf.sprintf "%s (%s:%d)" (short name) l.filename l.line_number)
  | None, Some l -> Some (Printf.sprintf "%s:%d" l.filename l.line_number)
  | _, None -> None

module By_address = Map.Make (Int)

(* The sites of return addresses, if they are in the program's own code. It changes in one step, as a
   finaliser or a Memprof callback may fork in the middle of a look. *)
let known : t option By_address.t Atomic.t = Atomic.make By_address.empty

let of_entry (entry : Printexc.raw_backtrace_entry) =
  let address = (entry :> int) in
  match By_address.find_opt address (Atomic.get known) with
  | Some site -> site
  | None ->
      let slots = Option.value (Printexc.backtrace_slots_of_raw_entry entry) ~default:[||] in
      let site = Array.find_map of_slot slots in
      Shared.change known (By_address.add address site);
      site

(* Most are near. *)
let find () =
  let within depth =
    let stack = Printexc.get_callstack depth in
    Array.find_map of_entry (Printexc.raw_backtrace_entries stack)
  in
  match within 8 with Some _ as site -> site | None -> within 100
