(* How places are accessed: each with a race, and a twin without. *)

let n = 100
let each f = Drover.parallel_for ~start:0 ~finish:(n - 1) f
let pair f g = ignore (Drover.both f g : unit * unit)

let reference is_racy =
  let count = ref 0 and counts = Array.init n ref in
  each (fun i -> if is_racy then count := !count + 1 else counts.(i) := i)

let incremented is_racy =
  let count = ref 0 and counts = Array.init n ref in
  each (fun i -> incr (if is_racy then count else counts.(i)))

let array is_racy =
  let a = Array.make (n + 1) 0 and b = Array.make n 0 in
  each (fun i -> if is_racy then a.(i) <- a.(i + 1) + 1 else b.(i) <- a.(i + 1))

let array_as_value is_racy =
  let a = Array.make (n + 1) 0 in
  let get = Array.get a and set = Array.set a in
  each (fun i -> set i (get (if is_racy then i + 1 else i)))

module A = Array

let array_by_alias is_racy =
  let a = A.make (n + 1) 0 in
  each (fun i -> A.set a i (A.get a (if is_racy then i + 1 else i)))

let bytes is_racy =
  let b = Bytes.make n ' ' in
  each (fun i -> Bytes.set b (if is_racy then i / 2 else i) 'x')

let bytes_of_many is_racy =
  let b = Bytes.make (8 * n) ' ' in
  each (fun i -> Bytes.set_int64_le b (if is_racy then 4 * (i / 2) else 8 * i) 0L)

let floats is_racy =
  let a = Float.Array.make (n + 1) 0. in
  each (fun i -> Float.Array.set a i (Float.Array.get a (if is_racy then i + 1 else i)))

let bigarray is_racy =
  let b = Bigarray.Array1.init Int C_layout (n + 1) Fun.id in
  each (fun i -> b.{i} <- b.{if is_racy then i + 1 else i})

let bigarray_sub is_racy =
  let b = Bigarray.Array1.init Int C_layout n Fun.id in
  let left = Bigarray.Array1.sub b 0 60
  and right = Bigarray.Array1.sub b (if is_racy then 50 else 60) 40 in
  pair (fun () -> left.{55} <- 1) (fun () -> right.{5} <- 1)

let bigarray_2 is_racy =
  let b = Bigarray.Array2.init Float64 Fortran_layout n n (fun _ _ -> 0.) in
  each (fun i -> b.{i + 1, 1} <- b.{(if is_racy then n - i else i + 1), 1})

let bigarray_3 is_racy =
  let b = Bigarray.Array3.init Float32 C_layout 2 2 2 (fun _ _ _ -> 0.) in
  pair (fun () -> b.{0, 1, 0} <- 1.) (fun () -> b.{0, 1, if is_racy then 0 else 1} <- 1.)

type point = { mutable x : int; mutable y : int; name : string }

let field is_racy =
  let p = { x = 0; y = 0; name = "p" } in
  pair (fun () -> p.x <- String.length p.name) (fun () -> if is_racy then p.x <- 2 else p.y <- 2)

let field_in_pattern is_racy =
  let p = { x = 0; y = 0; name = "p" } in
  let sum { x; _ } = x + 1 and other { y; name; _ } = y + String.length name in
  pair (fun () -> p.x <- 1) (fun () -> ignore (if is_racy then sum p else other p : int))

type shape = Circle of { mutable radius : int; mutable fill : int } | Dot

let inline_record is_racy =
  let shape = Circle { radius = 1; fill = 0 } in
  let grow = function Circle c -> c.radius <- c.radius + 1 | Dot -> () in
  let fill = function Circle c -> c.fill <- 1 | Dot -> () in
  pair (fun () -> grow shape) (fun () -> if is_racy then grow shape else fill shape)

let inline_pattern is_racy =
  let shape = Circle { radius = 1; fill = 0 } in
  let radius = function Circle { radius; _ } -> radius | Dot -> 0 in
  let fill = function Circle { fill; _ } -> fill | Dot -> 0 in
  pair
    (fun () -> match shape with Circle c -> c.radius <- 2 | Dot -> ())
    (fun () -> ignore (if is_racy then radius shape else fill shape : int))

type solid = Cube of { mutable side : int } | Ball of { mutable side : int; mutable fill : int }

let alternatives is_racy =
  let solid = Ball { side = 1; fill = 0 } in
  let side (Cube { side } | Ball { side; _ }) = side in
  let fill = function Ball { fill; _ } -> fill | Cube _ -> 0 in
  pair
    (fun () -> match solid with Ball b -> b.side <- 2 | Cube _ -> ())
    (fun () -> ignore (if is_racy then side solid else fill solid : int))

class account =
  object
    val mutable balance = 0
    val mutable name = ""
    method deposit n = balance <- balance + n
    method rename s = name <- s
  end

let instance_variable is_racy =
  let a = new account in
  pair (fun () -> a#deposit 1) (fun () -> if is_racy then a#deposit 2 else a#rename "a")

let many_fields is_racy =
  let points = Array.init n (fun i -> { x = i; y = 0; name = "" }) in
  each (fun i ->
      let other = points.(if is_racy then (i + 1) mod n else i) in
      points.(i).x <- other.x + 1)

(* Young blocks move while they are accessed. *)
let moved is_racy =
  let cells = Array.init 1000 ref in
  Drover.parallel_for ~start:0 ~finish:999 (fun i ->
      let garbage = List.init 1000 Fun.id in
      ignore (Sys.opaque_identity garbage);
      let r = cells.(if is_racy then i / 2 else i) in
      r := !r + 1)

let all =
  [
    ("reference", reference, "count := ..");
    ("incremented", incremented, "incr if is_racy then count else counts.(i)");
    ("array", array, "a.(i) <- ..");
    ("array as value", array_as_value, "set");
    ("array by alias", array_by_alias, "a.(i) <- ..");
    ("bytes", bytes, "b.(if is_racy then i / 2 else i) <- ..");
    ("bytes of many", bytes_of_many, "Bytes.set_int64_le");
    ("floats", floats, "a.(i) <- ..");
    ("bigarray", bigarray, "b.(i) <- ..");
    ("bigarray, sub", bigarray_sub, "left.(55) <- ..");
    ("bigarray, two dimensions", bigarray_2, "b.(i + 1, 1) <- ..");
    ("bigarray, three", bigarray_3, "b.(0, 1, 0) <- ..");
    ("field", field, "p.x <- ..");
    ("field in a pattern", field_in_pattern, "{ x }");
    ("inline record", inline_record, "c.radius <- ..");
    ("inline record in a pattern", inline_pattern, "{ radius }");
    ("alternatives", alternatives, "{ side }");
    ("instance variable", instance_variable, "balance <- ..");
    ("many fields", many_fields, "points.(i).x <- ..");
    ("moved by the collector", moved, "r := ..");
  ]
