open Drover_show

type row = {
  version : string;
  domains : int;
  obtained : int;
  samples : float array;
  pauses : Gc_pauses.t;
}

type t = { kernel : string; about : string; note : string; others : float option; rows : row list }

let serial = "serial"

let find t ~version ~domains =
  List.find_opt (fun r -> r.version = version && r.domains = domains) t.rows

let median row = Stats.median row.samples
let faster ~than row = median than /. median row

let vs_serial t row =
  match List.find_opt (fun r -> r.version = serial) t.rows with
  | Some reference -> faster ~than:reference row
  | None -> invalid_arg "Outcome.vs_serial: no reference"

let vs_self t row =
  let fewest best r = if r.version = row.version && r.domains < best.domains then r else best in
  faster ~than:(List.fold_left fewest row t.rows) row
