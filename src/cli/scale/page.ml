open Drover_show
module S = Drover.Scalability

(* Both axes double from mark to mark, from one core to 128, and from the lowest prediction, if that
   is below 1, to 128 times. *)

let cores = List.init 29 (fun i -> Float.pow 2. (float i /. 4.))
let doublings = 7

(* Between whole numbers of cores lies nothing, but a smooth line reads better. *)
let predict r cores = Scaling.predict r ~cores:(int_of_float (Float.round cores))
let across cores = Picture.across (Float.log2 cores /. float doublings)

(* How many halvings are below 1; what is lower still is drawn at the bottom. *)
let halvings (r : Scaling.t) =
  let lowest = List.fold_left (fun m n -> Float.min m (predict r n).S.lower) 1. cores in
  let simulated = Option.fold r.simulated ~none:[] ~some:(fun s -> s.Simulated.rows) in
  let lowest = List.fold_left (fun m row -> Float.min m row.Simulated.low) lowest simulated in
  Int.min 3 (int_of_float (Float.ceil (-.Float.log2 lowest)))

let height ~halvings value =
  Float.max 0. (Float.log2 value +. float halvings) /. float (doublings + halvings)

let curve r ~halvings i of_prediction =
  let at cores =
    (across (Float.round cores), Picture.up (height ~halvings (of_prediction (predict r cores))))
  in
  Picture.polyline ~cls:(Printf.sprintf "s%d" i) (List.map at cores)

(* Both estimates *)
let simulated ~halvings (s : Simulated.t) =
  let curve speedup =
    let at (row : Simulated.row) =
      (across (float row.workers), Picture.up (height ~halvings (speedup row)))
    in
    let points = List.map at s.rows in
    Picture.polyline ~cls:"s3" points :: List.map (Picture.dot ~radius:2. ~cls:"d3") points
  in
  curve (fun row -> row.low) @ curve (fun row -> row.high)

let plot (r : Scaling.t) =
  let halvings = halvings r in
  let height = height ~halvings in
  let grid i =
    let n = Float.pow 2. (float (i - halvings)) in
    Picture.horizontal (height n) (Printf.sprintf "%gx" n)
  in
  let count n = Picture.below (Float.log2 (float n) /. float doublings) (string_of_int n) in
  let diagonal =
    Picture.line ~cls:"ideal" (across 1., Picture.up (height 1.)) (across 128., Picture.up 1.)
  in
  Picture.make ~about:"predicted speed-up by cores; both axes double from mark to mark"
    (List.concat (List.init (doublings + halvings + 1) grid)
    @ List.map count Print.cores @ [ diagonal ]
    @ List.mapi (curve r ~halvings)
        [ (fun (p : S.prediction) -> p.likely); (fun p -> p.lower); (fun p -> p.upper) ]
    @ Option.fold r.simulated ~none:[] ~some:(simulated ~halvings))

let to_html (r : Scaling.t) =
  let figure (value, what, why) = Printf.sprintf "%s: %s, %s" what value why in
  Html.page
    ~title:("How far " ^ r.program ^ " could scale")
    (List.map (fun f -> Html.paragraph (figure f)) (Print.figures r)
    @ (match Advice.warnings r @ Advice.about r with
      | [] -> []
      | texts -> [ Html.section "advice" texts ])
    @ [
        Html.figures
          [ ("speed-up over one core, by cores: both axes double from mark to mark", plot r) ]
          ~legend:
            ([ "likely"; "at least"; "at most" ]
            @ if r.simulated = None then [] else [ "simulated: both estimates" ]);
        Html.table (Print.predictions r);
      ]
    @ Option.fold r.simulated ~none:[] ~some:(fun s -> [ Html.table (Print.simulated s) ])
    @ [ Html.table (Print.sites r.measured) ])
