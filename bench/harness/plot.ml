open Drover_show
open Picture

let distinct l = List.sort_uniq Int.compare l
let domains (o : Outcome.t) = distinct (List.map (fun (r : Outcome.row) -> r.domains) o.rows)

let rows_of (o : Outcome.t) version =
  List.filter (fun (r : Outcome.row) -> r.version = version) o.rows

(* Drover and Domainslib have the same colours in all plots. *)
let usual = [ "drover"; "domainslib" ]

let versions (o : Outcome.t) =
  let add seen version = if List.mem version seen then seen else seen @ [ version ] in
  let measured = List.map (fun (r : Outcome.row) -> r.version) o.rows in
  List.fold_left add usual measured |> List.filter (fun v -> List.length (rows_of o v) > 1)

(* Lines over the number of domains *)

let speedup (o : Outcome.t) =
  match (domains o, versions o) with
  | ([] | [ _ ]), _ | _, [] -> None
  | domains, versions ->
      let most = List.fold_left max 2 domains in
      let largest = List.fold_left (fun m r -> Float.max m (Outcome.vs_serial r)) 1. o.rows in
      let steps = ticks (Float.max (float most) largest) in
      let highest = List.fold_left Float.max 0. steps in
      let x d = float (d - 1) /. float (most - 1) in
      let at d v = (across (x d), up (Float.min 1. (v /. highest))) in
      let curve i version =
        let rows = rows_of o version in
        let point (r : Outcome.row) = at r.domains (Outcome.vs_serial r) in
        let quartile (r : Outcome.row) value =
          dot ~radius:2. ~cls:(Printf.sprintf "d%d" i) (at r.domains value)
        in
        let quartiles (r : Outcome.row) =
          [ quartile r r.speed_up.low; quartile r r.speed_up.high ]
        in
        let cls = Printf.sprintf "s%d" i in
        List.concat_map quartiles rows
        @ (polyline ~cls (List.map point rows) :: List.map (fun r -> dot ~cls (point r)) rows)
      in
      let mark step = horizontal (step /. highest) (Printf.sprintf "%gx" step) in
      let counts = List.map (fun d -> below (x d) (string_of_int d)) domains in
      let ideal = line ~cls:"ideal" (at 1 1.) (at most (float most)) in
      let about = o.kernel ^ ": speed-up over the serial program by domains" in
      let axes = (name_of_axis "domains" :: List.concat_map mark steps) @ counts in
      Some (Picture.make ~about (axes @ [ ideal ] @ List.concat (List.mapi curve versions)))

(* Bars over the lengths of pauses *)

let pauses (o : Outcome.t) =
  let most = List.fold_left max 1 (domains o) in
  let histogram version =
    match Outcome.find o ~version ~domains:most with
    | Some row -> row.pauses.histogram
    | None -> Gc_pauses.none.histogram
  in
  let histograms = List.map histogram (versions o) in
  let highest = List.fold_left (Array.fold_left Int.max) 0 histograms in
  if highest = 0 then None
  else
    let buckets = Array.length Gc_pauses.bounds in
    let steps = List.filter Float.is_integer (ticks (float highest)) in
    let top = List.fold_left Float.max 1. steps in
    let group = 1. /. float buckets in
    let share = group /. float (List.length histograms + 1) in
    let bars i histogram =
      let place b n =
        let x = (float b *. group) +. (float i *. share) in
        if n = 0 then None
        else
          let corner = (across x, up (float n /. top)) in
          Some (bar ~cls:(Printf.sprintf "s%d" i) corner ~wide:(across share -. across 0.))
      in
      List.filter_map Fun.id (Array.to_list (Array.mapi place histogram))
    in
    let bounds = Array.mapi (fun b s -> (b, Show.seconds s)) Gc_pauses.bounds |> Array.to_list in
    let marked = List.filter (fun (b, _) -> b mod 4 = 0) bounds in
    let label (b, s) = below (float b *. group) s in
    let count n = horizontal (n /. top) (Printf.sprintf "%.0f" n) in
    Some
      (Picture.make
         ~about:(o.kernel ^ ": how many pauses, by their length")
         ((name_of_axis "length of a pause" :: List.concat_map count steps)
         @ List.map label marked
         @ List.concat (List.mapi bars histograms)))
