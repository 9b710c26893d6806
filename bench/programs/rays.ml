(* Ray casting: which of many balls does the ray through each pixel of a picture meet first? The balls
   are in a tree of boxes (a bounding volume hierarchy). *)

type vector = { x : float; y : float; z : float }
type ball = { centre : vector; radius : float; number : int }

type tree = { low : vector; high : vector; content : content }
and content = Balls of ball array | Both of tree * tree

let few = 4
let merge f a b = { x = f a.x b.x; y = f a.y b.y; z = f a.z b.z }

let around radius f c =
  { x = f c.x radius; y = f c.y radius; z = f c.z radius }

let leaf balls =
  let bound f g =
    let side b = around b.radius g b.centre in
    Array.fold_left (fun v b -> merge f v (side b)) (side balls.(0)) balls
  in
  {
    low = bound Float.min ( -. );
    high = bound Float.max ( +. );
    content = Balls balls;
  }

let axes =
  [| (fun b -> b.centre.x); (fun b -> b.centre.y); (fun b -> b.centre.z) |]

let build both =
  let rec go depth balls =
    let n = Array.length balls in
    if n <= few then leaf balls
    else begin
      let sorted = Array.copy balls and along = axes.(depth mod 3) in
      Array.stable_sort
        (fun a b -> Float.compare (along a) (along b))
        sorted;
      let part from upto () =
        go (depth + 1) (Array.sub sorted from (upto - from))
      in
      let a, b = both (part 0 (n / 2)) (part (n / 2) n) in
      let low = merge Float.min a.low b.low
      and high = merge Float.max a.high b.high in
      { low; high; content = Both (a, b) }
    end
  in
  go 0

(* A ray starts at the origin. It is in a box while it is between its sides, for all three axes. *)
let meets { low; high; _ } d nearest =
  let x = low.x /. d.x and x' = high.x /. d.x in
  let y = low.y /. d.y and y' = high.y /. d.y in
  let z = low.z /. d.z and z' = high.z /. d.z in
  let enters =
    Float.max (Float.max (Float.min x x') (Float.min y y')) (Float.min z z')
  in
  let leaves =
    Float.min (Float.min (Float.max x x') (Float.max y y')) (Float.max z z')
  in
  enters <= leaves && leaves >= 0. && enters < nearest

(* How far the ray is in the direction [d], of length one, when it meets the ball. *)
let[@inline] distance d { centre = c; radius = r; _ } =
  let along = (c.x *. d.x) +. (c.y *. d.y) +. (c.z *. d.z) in
  let off =
    (c.x *. c.x) +. (c.y *. c.y) +. (c.z *. c.z) -. (along *. along)
  in
  let inside = (r *. r) -. off in
  if inside < 0. then infinity else along -. sqrt inside

type hit = { mutable nearest : float }

let first_hit tree d =
  let hit = { nearest = infinity } and number = ref (-1) in
  let try_ball b =
    let t = distance d b in
    if t > 0. && t < hit.nearest then begin
      hit.nearest <- t;
      number := b.number
    end
  in
  let rec go tree =
    if meets tree d hit.nearest then
      match tree.content with
      | Balls balls -> Array.iter try_ball balls
      | Both (a, b) ->
          go a;
          go b
  in
  go tree;
  !number

let side = 256

let pixel tree i =
  let place k = (float k +. 0.5 -. (float side /. 2.)) /. float side in
  let x = place (i mod side) and y = place (i / side) in
  let length = sqrt ((x *. x) +. (y *. y) +. 1.) in
  first_hit tree { x = x /. length; y = y /. length; z = 1. /. length }

let serial balls =
  let both f g =
    let a = f () in
    (a, g ())
  in
  Array.init (side * side) (pixel (build both balls))

let drover balls =
  Drover.Array.init (side * side) (pixel (build Drover.both balls))

let domainslib pool balls =
  By_hand.init pool (side * side) (pixel (build (By_hand.both pool) balls))

let input n =
  let rng = Random.State.make [| n |] in
  let between a b = a +. Random.State.float rng (b -. a) in
  Array.init n (fun number ->
      let centre =
        {
          x = between (-10.) 10.;
          y = between (-10.) 10.;
          z = between 5. 40.;
        }
      in
      { centre; radius = between 0.02 0.2; number })

let kernel =
  Program.kernel ~name:"rays" ~doc:"rays are cast at many balls"
    ~sizes:(100, 10_000, 100_000)
    ~about:(fun n -> Printf.sprintf "%d rays, %d balls" (side * side) n)
    ~input
    ~show:(fun a ->
      Printf.sprintf "%d hit"
        (Array.fold_left (fun n b -> if b >= 0 then n + 1 else n) 0 a))
    ~serial ~drover ~domainslib ()
