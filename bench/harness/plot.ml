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

let over_domains o ~about ~highest ~label ~ideal value =
  match (domains o, versions o) with
  | ([] | [ _ ]), _ | _, [] -> None
  | domains, versions ->
      let most = List.fold_left max 2 domains in
      let x d = float (d - 1) /. float (most - 1) in
      let at d v = (across (x d), up (v /. highest)) in
      let curve i version =
        let cls = Printf.sprintf "s%d" i in
        let points = List.map (fun r -> at r.Outcome.domains (value r)) (rows_of o version) in
        polyline ~cls points :: List.map (dot ~cls) points
      in
      let step = if highest > 4. then Float.round (highest /. 4.) else highest /. 4. in
      let mark i = horizontal (float i *. step /. highest) (label (float i *. step)) in
      let marks = List.concat (List.init (int_of_float (highest /. step) + 1) mark) in
      let counts = List.map (fun d -> below (x d) (string_of_int d)) domains in
      let ideal = line ~cls:"ideal" (at 1 (ideal 1)) (at most (ideal most)) in
      Some
        (Picture.make ~about (marks @ counts @ [ ideal ] @ List.concat (List.mapi curve versions)))

let largest o value = List.fold_left (fun m r -> Float.max m (value r)) 1. o.Outcome.rows

let speedup (o : Outcome.t) =
  let value = Outcome.vs_serial o in
  let most = float (List.fold_left max 2 (domains o)) in
  over_domains o value ~about:"speed-up over the serial program by domains"
    ~highest:(ceil (Float.max most (largest o value)))
    ~label:(Printf.sprintf "%.2gx") ~ideal:float

let efficiency (o : Outcome.t) =
  let value r = Outcome.vs_serial o r /. float r.domains in
  let highest = ceil (4. *. largest o value) /. 4. in
  over_domains o value ~about:"efficiency by domains" ~highest
    ~label:(fun v -> Printf.sprintf "%.0f%%" (100. *. v))
    ~ideal:(fun _ -> 1.)

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
    let group = 1. /. float buckets in
    let share = group /. float (List.length histograms + 1) in
    let bars i histogram =
      let place b n =
        let x = (float b *. group) +. (float i *. share) in
        if n = 0 then None
        else
          let corner = (across x, up (float n /. float highest)) in
          Some (bar ~cls:(Printf.sprintf "s%d" i) corner ~wide:(across share -. across 0.))
      in
      List.filter_map Fun.id (Array.to_list (Array.mapi place histogram))
    in
    let bounds = Array.mapi (fun b s -> (b, Show.seconds s)) Gc_pauses.bounds |> Array.to_list in
    let marked = List.filter (fun (b, _) -> b mod 4 = 0) bounds in
    let label (b, s) = below (float b *. group) s in
    let count part = horizontal part (Printf.sprintf "%.0f" (part *. float highest)) in
    Some
      (Picture.make ~about:"pauses by length"
         (List.concat_map count [ 0.; 0.5; 1. ]
         @ List.map label marked
         @ List.concat (List.mapi bars histograms)))
