let width = 340.
let height = 220.
let left = 34.
let bottom = 26.
let top = 10.
let right = 10.
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

(* Where things are: [x] of a number of domains, [y] of a speed-up. *)
type frame = { most : int; highest : float; x : int -> float; y : float -> float }

let frame (o : Outcome.t) =
  let most = List.fold_left max 2 (domains o) in
  let best = List.fold_left (fun m r -> Float.max m (Outcome.vs_serial o r)) 1. o.rows in
  let highest = ceil (Float.max best (float most)) in
  let x d = left +. ((width -. left -. right) *. float (d - 1) /. float (most - 1)) in
  let y s = height -. bottom -. ((height -. top -. bottom) *. s /. highest) in
  { most; highest; x; y }

let line ~cls (x1, y1) (x2, y2) =
  Printf.sprintf {|<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>|} cls x1 y1 x2 y2

let text ~anchor (x, y) s =
  Printf.sprintf {|<text text-anchor="%s" x="%.1f" y="%.1f">%s</text>|} anchor x y s

let axes f domains =
  let horizontal s = line ~cls:"grid" (left, f.y s) (width -. right, f.y s) in
  let step = Float.max 1. (Float.round (f.highest /. 4.)) in
  let marks = List.init (int_of_float (f.highest /. step) + 1) (fun i -> float i *. step) in
  let mark s =
    horizontal s ^ text ~anchor:"end" (left -. 6., f.y s +. 4.) (Printf.sprintf "%.0fx" s)
  in
  let count d = text ~anchor:"middle" (f.x d, height -. 8.) (string_of_int d) in
  let ideal = line ~cls:"ideal" (f.x 1, f.y 1.) (f.x f.most, f.y (float f.most)) in
  List.map mark marks @ List.map count domains @ [ ideal ]

let curve o f i version =
  let at (r : Outcome.row) = (f.x r.domains, f.y (Outcome.vs_serial o r)) in
  let points = List.map at (rows_of o version) in
  let pair (x, y) = Printf.sprintf "%.1f,%.1f" x y in
  let dot (x, y) = Printf.sprintf {|<circle class="s%d" cx="%.1f" cy="%.1f" r="3"/>|} i x y in
  Printf.sprintf {|<polyline class="s%d" points="%s"/>|} i
    (String.concat " " (List.map pair points))
  :: List.map dot points

let speedup o =
  match (domains o, versions o) with
  | ([] | [ _ ]), _ | _, [] -> None
  | domains, versions ->
      let f = frame o in
      let shapes = axes f domains @ List.concat (List.mapi (curve o f) versions) in
      Some
        (Printf.sprintf
           {|<svg viewBox="0 0 %.0f %.0f" role="img" aria-label="speed-up over the serial program by domains">%s</svg>|}
           width height (String.concat "\n" shapes))
