open Drover_show
open Picture

(* Speed-ups over the serial program *)
type dots = { name : string; drover : Stats.summary; domainslib : Stats.summary option }

let dots ~domains (o : Outcome.t) =
  let find version =
    Option.map (fun (r : Outcome.row) -> r.speed_up) (Outcome.find o ~version ~domains)
  in
  let dots drover = { name = o.kernel; drover; domainslib = find "domainslib" } in
  Option.map dots (find "drover")

(* Places, in pixels *)

let width = 640.
let left = 132.
let right = 172.
let head = 66.
let row = 18.
let foot = 42.
let x ~highest value = left +. ((width -. left -. right) *. Float.min value highest /. highest)

(* A colour, what it stands for, and where the column of its values ends. *)
let drover_column = ("s0", "Drover", width -. 104.)
let domainslib_column = ("s1", "Domainslib", width -. 10.)

let one ~highest ~apart y (cls, _, column) (e : Stats.summary) =
  [
    label ~cls:"fg" ~anchor:`End (column, y +. 4.) (Show.times e.median);
    line ~cls:"mark" (x ~highest e.low, y +. apart) (x ~highest e.high, y +. apart);
    dot ~radius:4.5 ~cls (x ~highest e.median, y +. apart);
  ]

(* Drover's dot lies on top. *)
let program ~highest i d =
  let y = head +. (row *. (float i +. 0.5)) in
  label ~cls:"fg" ~anchor:`End (left -. 10., y +. 4.) d.name
  :: Option.fold d.domainslib ~none:[] ~some:(one ~highest ~apart:2. y domainslib_column)
  @ one ~highest ~apart:(-2.) y drover_column d.drover

let axis ~highest ~bottom steps =
  let mark step =
    let cls = if step = 1. then "ideal" else "grid" and at = x ~highest step in
    [
      line ~cls (at, head -. 6.) (at, bottom);
      label ~anchor:`Middle
        (at, bottom +. 14.)
        (if step = 1. then "serial" else Printf.sprintf "%gx" step);
    ]
  in
  List.concat_map mark steps

(* The heads of the columns are the key. *)
let heads ~domains machine =
  let column (cls, name, at) =
    [
      label ~cls:"strong" ~anchor:`End (at, head -. 10.) name;
      dot ~radius:4.5 ~cls (at -. (6.9 *. float (String.length name)) -. 12., head -. 14.);
    ]
  in
  label ~cls:"strong" ~anchor:`Start (8., 18.)
    (Printf.sprintf "Speed-up over serial OCaml on %d domains" domains)
  :: label ~anchor:`Start (8., 33.) machine
  :: List.concat_map column [ drover_column; domainslib_column ]

let speedups ~machine os =
  let domains = Outcome.most_domains os in
  let faster a b = Float.compare b.drover.median a.drover.median in
  let all = List.sort faster (List.filter_map (dots ~domains) os) in
  if domains = 1 || all = [] then None
  else
    let reach (e : Stats.summary) = Float.max e.median (Float.min e.high (1.3 *. e.median)) in
    let most d = Float.max (reach d.drover) (Option.fold d.domainslib ~none:0. ~some:reach) in
    let most = List.fold_left (fun m d -> Float.max m (most d)) (float domains) all in
    let steps = ticks most in
    let highest = List.fold_left Float.max 0. steps in
    let bottom = head +. (row *. float (List.length all)) in
    let about =
      let one d =
        let other (e : Stats.summary) = ", Domainslib " ^ Show.times e.median in
        Printf.sprintf "%s %s%s" d.name (Show.times d.drover.median)
          (Option.fold d.domainslib ~none:"" ~some:other)
      in
      Printf.sprintf "Dots: speed-up over the serial program on %d domains with Drover: %s." domains
        (String.concat "; " (List.map one all))
    in
    let explanation = "Right is faster. The thin lines span the middle half of the runs." in
    let shapes =
      (label ~anchor:`Start (left, bottom +. 32.) explanation :: heads ~domains machine)
      @ axis ~highest ~bottom steps
      @ List.concat (List.mapi (program ~highest) all)
    in
    Some (Picture.make ~width ~height:(bottom +. foot) ~about shapes)
