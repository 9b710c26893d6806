type t = {
  cores : int;
  model : string;
  system : string;
  ocaml : string;
  minor_heap_words : int;
  load : float option;
}

let read file =
  match In_channel.with_open_bin file In_channel.input_all with
  | text -> Some text
  | exception Sys_error _ -> None

(* Linux says "model name : ..."; elsewhere the file is missing or speaks otherwise. *)
let model () =
  let of_line line =
    match String.index_opt line ':' with
    | Some i when String.starts_with ~prefix:"model name" line ->
        Some (String.trim (String.sub line (i + 1) (String.length line - i - 1)))
    | _ -> None
  in
  let lines = Option.fold (read "/proc/cpuinfo") ~none:[] ~some:(String.split_on_char '\n') in
  Option.value (List.find_map of_line lines) ~default:"unknown"

let load () =
  let first text = float_of_string_opt (List.hd (String.split_on_char ' ' text)) in
  Option.bind (read "/proc/loadavg") first

let here () =
  {
    cores = Domain.recommended_domain_count ();
    model = model ();
    system = Printf.sprintf "%s, %d bits" Sys.os_type Sys.word_size;
    ocaml = Sys.ocaml_version;
    minor_heap_words = (Gc.get ()).minor_heap_size;
    load = load ();
  }

(* The load is that of a minute; this is of a moment. *)
let busy_now () =
  let before = Drover_show.Contention.start () in
  Unix.sleepf 0.3;
  Drover_show.Contention.others before

let name m = Printf.sprintf "%s, OCaml %s" m.model m.ocaml

let pp ppf m =
  Fmt.pf ppf "%d cores (%s), OCaml %s, minor heaps of %d words at first%a" m.cores m.model m.ocaml
    m.minor_heap_words
    Fmt.(option (fun ppf -> pf ppf ", load %.2f"))
    m.load
