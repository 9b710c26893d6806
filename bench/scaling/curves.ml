open Drover_show
open Picture

let colours = 5 (* of the style sheet *)
let log2 x = Float.log x /. Float.log 2.

(* For each number of processors, the speed-ups by the estimates, the lowest first *)
let points (t : Study.t) =
  let on n =
    let runs = List.filter (fun (r : Study.run) -> r.processors = n) t.runs in
    match List.sort Float.compare (List.filter_map Study.speed_up runs) with
    | [] -> None
    | all -> Some (n, all)
  in
  let processors = List.map (fun (r : Study.run) -> r.processors) t.runs in
  List.filter_map on (List.sort_uniq Int.compare processors)

(* Both axes end at the largest number of processors; the vertical one begins below 1. *)
type scale = { most : float; least : float }

let scale curves =
  let fold f first = List.fold_left (List.fold_left f) first curves in
  let most = fold (fun m (n, _) -> Float.max m (float n)) 2. in
  let least = fold (fun m (_, all) -> Float.min m (List.hd all)) 1. in
  { most = log2 most; least = Float.floor (log2 least +. 0.1) }

let place s n speed_up =
  let up_part = (log2 speed_up -. s.least) /. (s.most -. s.least) in
  (across (log2 (float n) /. s.most), up (Float.max 0. (Float.min 1. up_part)))

let curve s i points =
  let cls = Printf.sprintf "s%d" (i mod colours) in
  let of_estimates choose = List.map (fun (n, all) -> place s n (choose all)) points in
  let low = of_estimates List.hd and high = of_estimates (fun all -> List.hd (List.rev all)) in
  let middle = of_estimates (fun all -> List.nth all (List.length all / 2)) in
  let is_band = List.exists (fun (_, all) -> List.length all > 1) points in
  (if is_band then [ area ~cls (low @ List.rev high) ] else []) @ [ polyline ~cls middle ]

let axes s curves =
  let columns = List.sort_uniq Int.compare (List.concat_map (List.map fst) curves) in
  let below n = below (log2 (float n) /. s.most) (string_of_int n) in
  let rows = List.init (1 + int_of_float (s.most -. s.least)) (fun i -> s.least +. float i) in
  let row power =
    horizontal ((power -. s.least) /. (s.most -. s.least)) (Printf.sprintf "%gx" (2. ** power))
  in
  (name_of_axis "processors" :: List.map below columns) @ List.concat_map row rows

(* In the upper left corner, where no curve is. *)
let key i (t : Study.t) =
  let y = up 1. +. 6. +. (14. *. float i) and x = across 0.03 in
  [
    box ~cls:(Printf.sprintf "s%d" (i mod colours)) (x, y) ~wide:9. ~high:9.;
    label ~cls:"fg" ~anchor:`Start (x +. 14., y +. 8.) t.program.name;
  ]

let speed_ups ~about studies =
  let curves = List.map points studies in
  let s = scale curves in
  let ideal =
    line ~cls:"ideal" (place s 1 1.) (place s (int_of_float (2. ** s.most)) (2. ** s.most))
  in
  make ~about
    (axes s curves @ [ ideal ]
    @ List.concat (List.mapi (curve s) curves)
    @ List.concat (List.mapi key studies))
