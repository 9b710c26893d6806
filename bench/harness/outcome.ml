open Drover_show

type row = {
  version : string;
  domains : int;
  obtained : int;
  seconds : Stats.summary;
  minor_heap_words : int;
  pauses : Gc_pauses.t;
}

type kind = Program | Kernel | Loop

type t = {
  kernel : string;
  kind : kind;
  about : string;
  note : string;
  others : float option;
  rows : row list;
}

let serial = "serial"
let same_heap = "serial, same heap"

let find t ~version ~domains =
  List.find_opt (fun r -> r.version = version && r.domains = domains) t.rows

let faster ~than row = than.seconds.median /. row.seconds.median

let vs_serial t row =
  match List.find_opt (fun r -> r.version = serial) t.rows with
  | Some reference -> faster ~than:reference row
  | None -> invalid_arg "Outcome.vs_serial: no reference"

let vs_self t row =
  let fewest best r = if r.version = row.version && r.domains < best.domains then r else best in
  faster ~than:(List.fold_left fewest row t.rows) row

let most_domains ts =
  let most n t = List.fold_left (fun n r -> Int.max n r.domains) n t.rows in
  List.fold_left most 1 ts

let is_noisy row = Stats.spread row.seconds > 0.1
let programs = List.filter (fun t -> t.kind = Program)
let kernels = List.filter (fun t -> t.kind = Kernel)
let main ts = match programs ts with [] -> kernels ts | programs -> programs
let well_known = [ "json"; "type-checker"; "page-rank"; "k-means"; "rays"; "word-count" ]

let few ts =
  match List.filter (fun t -> List.mem t.kernel well_known) ts with [] -> ts | few -> few

let loops = List.filter (fun t -> t.kind = Loop)
