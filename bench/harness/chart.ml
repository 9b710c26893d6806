open Drover_show
open Picture

(* Speed-ups over the serial program *)
type bars = { name : string; drover : Stats.summary; domainslib : Stats.summary option }

let bars ~domains (o : Outcome.t) =
  let find version =
    Option.map (fun (r : Outcome.row) -> r.speed_up) (Outcome.find o ~version ~domains)
  in
  let bars drover = { name = o.kernel; drover; domainslib = find "domainslib" } in
  Option.map bars (find "drover")

(* Places, in pixels *)

let width = 560.
let left = 128.
let right = 50.
let head = 72.
let row = 27.
let foot = 46.
let thick = 9.
let x ~highest value = left +. ((width -. left -. right) *. Float.min value highest /. highest)

let one ~highest ~cls y (e : Stats.summary) =
  let x = x ~highest and middle = y +. (thick /. 2.) in
  [
    box ~cls (left, y) ~wide:(x e.median -. left) ~high:thick;
    line ~cls:"mark" (x e.low, middle) (x e.high, middle);
  ]
  @ List.map (fun v -> line ~cls:"mark" (x v, middle -. 3.) (x v, middle +. 3.)) [ e.low; e.high ]

let group ~highest i b =
  let y = head +. (row *. float i) in
  label ~cls:"fg" ~anchor:`End (left -. 8., y +. 13.) b.name
  :: label ~cls:"strong" ~anchor:`Start
       (x ~highest (Float.max b.drover.high b.drover.median) +. 6., y +. 9.)
       (Show.times b.drover.median)
  :: one ~highest ~cls:"s0" y b.drover
  @ Option.fold b.domainslib ~none:[] ~some:(one ~highest ~cls:"s1" (y +. thick +. 1.))

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

let key ~domains machine =
  let entry at cls name =
    [ box ~cls (at, 44.) ~wide:10. ~high:10.; label ~cls:"fg" ~anchor:`Start (at +. 15., 53.) name ]
  in
  label ~cls:"strong" ~anchor:`Start (8., 18.)
    (Printf.sprintf "Speed-up over serial OCaml on %d domains" domains)
  :: label ~anchor:`Start (8., 33.) machine
  :: (entry left "s0" "Drover" @ entry (left +. 75.) "s1" "Domainslib")

let speedups ~machine os =
  let domains = Outcome.most_domains os in
  let faster a b = Float.compare b.drover.median a.drover.median in
  let all = List.sort faster (List.filter_map (bars ~domains) os) in
  if domains = 1 || all = [] then None
  else
    let reach (e : Stats.summary) = Float.max e.median (Float.min e.high (1.3 *. e.median)) in
    let most b = Float.max (reach b.drover) (Option.fold b.domainslib ~none:0. ~some:reach) in
    let most = List.fold_left (fun m b -> Float.max m (most b)) (float domains) all in
    let steps = ticks most in
    let highest = List.fold_left Float.max 0. steps in
    let bottom = head +. (row *. float (List.length all)) in
    let about =
      let one b =
        let other (e : Stats.summary) = ", Domainslib " ^ Show.times e.median in
        Printf.sprintf "%s %s%s" b.name (Show.times b.drover.median)
          (Option.fold b.domainslib ~none:"" ~some:other)
      in
      Printf.sprintf "Bars: speed-up over the serial program on %d domains with Drover: %s." domains
        (String.concat "; " (List.map one all))
    in
    let explanation = "Longer is faster. The thin lines span the middle half of the runs." in
    let shapes =
      (label ~anchor:`Start (left, bottom +. 34.) explanation :: key ~domains machine)
      @ axis ~highest ~bottom steps
      @ List.concat (List.mapi (group ~highest) all)
    in
    Some (Picture.make ~width ~height:(bottom +. foot) ~about shapes)
