open Tyxml.Svg

type shape = Svg_types.svg_content elt
type t = { about : string; width : float; height : float; shapes : shape list }

let width = 340.
let height = 220.
let left = 38.
let bottom = 38.
let top = 10.
let right = 10.

(* Tenths of a pixel are enough. *)
let tenths x = Float.round (10. *. x) /. 10.
let at x = (tenths x, None)

(* Axes *)

let across part = left +. ((width -. left -. right) *. part)
let up part = height -. bottom -. ((height -. top -. bottom) *. part)

(* Shapes *)

let line ~cls (x1, y1) (x2, y2) =
  line ~a:[ a_class [ cls ]; a_x1 (at x1); a_y1 (at y1); a_x2 (at x2); a_y2 (at y2) ] []

let polyline ~cls points =
  let point (x, y) = (tenths x, tenths y) in
  polyline ~a:[ a_class [ cls ]; a_points (List.map point points) ] []

let area ~cls points =
  let point (x, y) = (tenths x, tenths y) in
  polygon ~a:[ a_class [ cls ]; a_points (List.map point points) ] []

let dot ?(radius = 3.) ~cls (x, y) =
  circle ~a:[ a_class [ cls ]; a_cx (at x); a_cy (at y); a_r (radius, None) ] []

let box ~cls (x, y) ~wide ~high =
  let sizes = [ a_width (at wide); a_height (at high) ] in
  rect ~a:([ a_class [ cls ]; a_x (at x); a_y (at y) ] @ sizes) []

let bar ~cls (x, y) ~wide = box ~cls (x, y) ~wide ~high:(height -. bottom -. y)

let label ?(cls = "soft") ~anchor (x, y) words =
  text
    ~a:[ a_class [ cls ]; a_text_anchor anchor; a_x_list [ at x ]; a_y_list [ at y ] ]
    [ txt words ]

let horizontal part words =
  [
    line ~cls:"grid" (across 0., up part) (across 1., up part);
    label ~anchor:`End (left -. 6., up part +. 4.) words;
  ]

let below part words = label ~anchor:`Middle (across part, height -. 24.) words
let name_of_axis words = label ~anchor:`Middle (across 0.5, height -. 8.) words

(* Steps of 1, 2 or 5 times a power of ten. *)
let ticks highest =
  let power = Float.pow 10. (Float.floor (Float.log10 (highest /. 4.))) in
  let fits step = step *. power *. 5. >= highest in
  let step = power *. Option.value (List.find_opt fits [ 1.; 2.; 5. ]) ~default:10. in
  let count = int_of_float (Float.ceil ((highest /. step) -. 1e-9)) in
  List.init (count + 1) (fun i -> float i *. step)

(* Pictures *)

let make ?(width = width) ?(height = height) ~about shapes = { about; width; height; shapes }

let attributes t =
  [
    a_viewBox (0., 0., t.width, t.height);
    Unsafe.string_attrib "role" "img";
    Unsafe.string_attrib "aria-label" t.about;
  ]

let to_html t = Tyxml.Html.svg ~a:(attributes t) t.shapes

let to_svg t ~style:sheet =
  let ground = box ~cls:"ground" (0., 0.) ~wide:t.width ~high:t.height in
  let style = style (Unsafe.data sheet) and title = title (txt t.about) in
  let size = [ a_width (t.width, None); a_height (t.height, None) ] in
  let root = svg ~a:(size @ attributes t) (title :: style :: ground :: t.shapes) in
  Format.asprintf "%a@." (pp_elt ()) root
