open Drover_harness
module S = Drover.Scalability

(* Both axes double from mark to mark. *)

let cores = List.init 29 (fun i -> Float.pow 2. (float i /. 4.))
let doublings = 7.
let part value = Float.max 0. (Float.log2 value) /. doublings

let curve i r of_prediction =
  let at cores =
    (* Between whole numbers of cores lies nothing, but a smooth line reads better. *)
    let p = Scaling.predict r ~cores:(int_of_float (Float.round cores)) in
    (Plot.across (part (Float.round cores)), Plot.up (part (of_prediction p)))
  in
  Plot.polyline ~cls:(Printf.sprintf "s%d" i) (List.map at cores)

let plot r =
  let grid n = Plot.horizontal (part (float n)) (Printf.sprintf "%dx" n) in
  let count n = Plot.below (part (float n)) (string_of_int n) in
  let ideal = Plot.line ~cls:"ideal" (Plot.across 0., Plot.up 0.) (Plot.across 1., Plot.up 1.) in
  Plot.svg ~about:"predicted speed-up by cores"
    (List.concat_map grid Print.cores @ List.map count Print.cores @ [ ideal ]
    @ List.mapi
        (fun i of_prediction -> curve i r of_prediction)
        [ (fun (p : S.prediction) -> p.likely); (fun p -> p.lower); (fun p -> p.upper) ])

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
          [ ("speed-up over one core, by cores", plot r) ]
          ~legend:[ "likely"; "at least"; "at most" ];
        Html.table (Print.predictions r);
        Html.table (Print.sites r.measured);
      ])
