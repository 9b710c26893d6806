(* A figure's label is "WHAT, DOMAINS", or "WHAT" on one domain; operations that are not the usual ones
   come first, as in "mixed with finds, WHAT, DOMAINS". *)

open Drover_show
open Picture

let unit_ = "a ms"

type rate = { kind : string; what : string; domains : int; value : float }

let kinds = [ "mixed with finds" ]

let cut_domains label =
  match String.rindex_opt label ',' with
  | None -> (label, 1)
  | Some i -> (
      let rest = String.sub label (i + 1) (String.length label - i - 1) in
      match int_of_string_opt (String.trim rest) with
      | Some domains -> (String.sub label 0 i, domains)
      | None -> (label, 1))

let cut_kind label =
  let begins kind = String.starts_with ~prefix:(kind ^ ", ") label in
  match List.find_opt begins kinds with
  | None -> ("", label)
  | Some kind ->
      let n = String.length kind + 2 in
      (kind, String.sub label n (String.length label - n))

let rate (f : Probe.figure) =
  let kind, rest = cut_kind f.label in
  let what, domains = cut_domains rest in
  if f.unit_ = unit_ then Some { kind; what; domains; value = f.value } else None

let distinct values =
  let add seen v = if List.mem v seen then seen else v :: seen in
  List.rev (List.fold_left add [] values)

(* Places, in pixels *)

let width = 560.
let left = 210.
let right = 60.
let head = 30.
let thick = 12.
let gap = 7.

let bars ~highest ~domains rates =
  let x value = left +. ((width -. left -. right) *. value /. highest) in
  let bar y r =
    let cls = Printf.sprintf "s%d" (Option.get (List.find_index (( = ) r.domains) domains) mod 5) in
    [
      box ~cls (left, y) ~wide:(x r.value -. left) ~high:thick;
      label ~anchor:`Start (x r.value +. 5., y +. 10.) (Show.digits r.value);
    ]
  in
  let group (shapes, y) what =
    let own = List.filter (fun r -> r.what = what) rates in
    let high = thick *. float (List.length own) in
    let name = label ~cls:"fg" ~anchor:`End (left -. 8., y +. (high /. 2.) +. 4.) what in
    let each = List.mapi (fun i r -> bar (y +. (thick *. float i)) r) own in
    (shapes @ (name :: List.concat each), y +. high +. gap)
  in
  List.fold_left group ([], head) (distinct (List.map (fun r -> r.what) rates))

let key domains =
  let entry i n =
    let at = left +. (90. *. float i) in
    let name = Printf.sprintf "%d domain%s" n (if n = 1 then "" else "s") in
    [
      box ~cls:(Printf.sprintf "s%d" (i mod 5)) (at, 8.) ~wide:10. ~high:10.;
      label ~cls:"fg" ~anchor:`Start (at +. 15., 17.) name;
    ]
  in
  List.concat (List.mapi entry domains)

let picture (o : Probe.outcome) kind rates =
  let domains = List.sort_uniq Int.compare (List.map (fun r -> r.domains) rates) in
  let highest = List.fold_left (fun m r -> Float.max m r.value) 1e-9 rates in
  let shapes, height = bars ~highest ~domains rates in
  let one r = Printf.sprintf "%s on %d %s" r.what r.domains (Show.digits r.value) in
  let title = (if kind = "" then "" else kind ^ ": ") ^ "operations a millisecond" in
  let about =
    Printf.sprintf "Bars: %s, %s: %s." o.probe title (String.concat "; " (List.map one rates))
  in
  (title, Picture.make ~width ~height ~about (key domains @ shapes))

let pictures (o : Probe.outcome) =
  let rates = List.filter_map rate o.figures in
  let of_kind kind = picture o kind (List.filter (fun r -> r.kind = kind) rates) in
  if List.length rates < 3 then []
  else List.map of_kind (distinct (List.map (fun r -> r.kind) rates))
