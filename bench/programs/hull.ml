(* The convex hull of points in the plane, by quickhull: the points outside of a line are divided by
   the one that is farthest from it. *)

type point = { x : float; y : float }

(* How far [p] is to the left of the line from [a] to [b], times the length of that. *)
let[@inline] outside a b p =
  ((b.x -. a.x) *. (p.y -. a.y)) -. ((b.y -. a.y) *. (p.x -. a.x))

let farther a b p q = if outside a b p >= outside a b q then p else q
let leftmost p q = if (p.x, p.y) <= (q.x, q.y) then p else q
let rightmost p q = if (p.x, p.y) >= (q.x, q.y) then p else q

(* What a version does by itself. *)
type tools = {
  filter : (point -> bool) -> point array -> point array;
  best : (point -> point -> point) -> point array -> point;
  both :
    (unit -> point list) -> (unit -> point list) -> point list * point list;
}

let hull t points =
  (* The corners to the left of the line from [a] to [b], of those that [points] has. *)
  let rec corners a b points =
    match t.filter (fun p -> outside a b p > 0.) points with
    | [||] -> []
    | left ->
        let c = t.best (farther a b) left in
        let before, after =
          t.both (fun () -> corners a c left) (fun () -> corners c b left)
        in
        before @ (c :: after)
  in
  let a = t.best leftmost points and b = t.best rightmost points in
  let upper, lower =
    t.both (fun () -> corners a b points) (fun () -> corners b a points)
  in
  (a :: upper) @ (b :: lower)

let filter f a =
  let kept = Dynarray.create () in
  Array.iter (fun x -> if f x then Dynarray.add_last kept x) a;
  Dynarray.to_array kept

let best better a = Array.fold_left better a.(0) a

let serial =
  hull
    {
      filter;
      best;
      both =
        (fun f g ->
          let l = f () in
          (l, g ()));
    }

let drover =
  let best better a =
    Drover.Array.reduce ~init:a.(0) ~combine:better Fun.id a
  in
  hull { filter = Drover.Array.filter; best; both = Drover.both }

let domainslib pool =
  let filter f a =
    let part lo hi = filter f (Array.sub a lo (hi - lo + 1)) in
    Array.concat (Drover_kernels.Chunks.map pool (Array.length a) part)
  and best better a =
    let body i = a.(i) and finish = Array.length a - 1 in
    Domainslib.Task.parallel_for_reduce pool better a.(0) ~start:0 ~finish
      ~body
  in
  hull { filter; best; both = By_hand.both pool }

(* In a disk, more of them near its edge. *)
let input n =
  let rng = Random.State.make [| n |] in
  Array.init n (fun _ ->
      let angle = Random.State.float rng (2. *. Float.pi) in
      let radius = 1. -. (Random.State.float rng 1. ** 4.) in
      { x = radius *. cos angle; y = radius *. sin angle })

let kernel =
  Program.kernel ~name:"hull" ~doc:"the convex hull of points in the plane"
    ~sizes:(2_000, 1_000_000, 4_000_000)
    ~about:(Printf.sprintf "%d points")
    ~input
    ~show:(fun corners -> Printf.sprintf "%d corners" (List.length corners))
    ~serial ~drover ~domainslib ()
