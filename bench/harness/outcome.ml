open Drover_show

type row = {
  version : string;
  domains : int;
  obtained : int;
  seconds : Stats.summary;
  speed_up : Stats.summary;
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

let vs_serial row = row.speed_up.median

let vs_self t row =
  let fewest best r = if r.version = row.version && r.domains < best.domains then r else best in
  vs_serial row /. vs_serial (List.fold_left fewest row t.rows)

let most_domains ts =
  let most n t = List.fold_left (fun n r -> Int.max n r.domains) n t.rows in
  List.fold_left most 1 ts

let is_disturbed t = match t.others with Some part -> part > 0.1 | None -> false

let disturbance ts =
  let disturbed = List.filter is_disturbed ts in
  if 4 * List.length disturbed <= List.length ts then None
  else
    let parts = List.filter_map (fun t -> t.others) disturbed in
    Some (Stats.median (Array.of_list parts))

let is_noisy row = Stats.spread row.seconds > 0.1
let programs = List.filter (fun t -> t.kind = Program)
let kernels = List.filter (fun t -> t.kind = Kernel)
let main ts = match programs ts with [] -> kernels ts | programs -> programs
let loops = List.filter (fun t -> t.kind = Loop)
