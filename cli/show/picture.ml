open Tyxml.Svg

type shape = Svg_types.svg_content elt
type t = { about : string; shapes : shape list }

let width = 340.
let height = 220.
let left = 38.
let bottom = 26.
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

let dot ~cls (x, y) = circle ~a:[ a_class [ cls ]; a_cx (at x); a_cy (at y); a_r (3., None) ] []

let bar ~cls (x, y) ~wide =
  rect
    ~a:
      [
        a_class [ cls ];
        a_x (at x);
        a_y (at y);
        a_width (at wide);
        a_height (at (height -. bottom -. y));
      ]
    []

let label ~anchor (x, y) words =
  text ~a:[ a_text_anchor anchor; a_x_list [ at x ]; a_y_list [ at y ] ] [ txt words ]

let horizontal part words =
  [
    line ~cls:"grid" (across 0., up part) (across 1., up part);
    label ~anchor:`End (left -. 6., up part +. 4.) words;
  ]

let below part words = label ~anchor:`Middle (across part, height -. 8.) words

(* Pictures *)

let make ~about shapes = { about; shapes }

let to_html t =
  let a =
    [
      a_viewBox (0., 0., width, height);
      Unsafe.string_attrib "role" "img";
      Unsafe.string_attrib "aria-label" t.about;
    ]
  in
  Tyxml.Html.svg ~a t.shapes
