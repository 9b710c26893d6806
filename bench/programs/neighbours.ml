(* The nearest neighbour of each of many points: a k-d tree is built, and asked. *)

type point = float array (* of two dimensions *)

type tree =
  | Leaf of point array
  | Node of { axis : int; split : float; low : tree; high : tree }

let distance (p : point) (q : point) =
  let x = p.(0) -. q.(0) and y = p.(1) -. q.(1) in
  (x *. x) +. (y *. y)

(* A node takes the median along its axis; the axes take turns. *)
let halves axis points =
  let sorted = Array.copy points and mid = Array.length points / 2 in
  Array.stable_sort
    (fun (p : point) q -> Float.compare p.(axis) q.(axis))
    sorted;
  ( sorted.(mid).(axis),
    Array.sub sorted 0 mid,
    Array.sub sorted mid (Array.length sorted - mid) )

let build both =
  let rec go axis points =
    if Array.length points <= 8 then Leaf points
    else
      let split, low, high = halves axis points in
      let low, high =
        both (fun () -> go (1 - axis) low) (fun () -> go (1 - axis) high)
      in
      Node { axis; split; low; high }
  in
  go 0

type best = { mutable nearest : point; mutable squared : float }

let nearest tree p =
  let best = { nearest = p; squared = infinity } in
  let look q =
    if q != p then begin
      let d = distance p q in
      if d < best.squared then begin
        best.nearest <- q;
        best.squared <- d
      end
    end
  in
  let rec search = function
    | Leaf points -> Array.iter look points
    | Node { axis; split; low; high } ->
        let d = p.(axis) -. split in
        search (if d < 0. then low else high);
        if d *. d < best.squared then search (if d < 0. then high else low)
  in
  search tree;
  best.nearest

let serial points =
  let tree =
    build
      (fun f g ->
        let low = f () in
        (low, g ()))
      points
  in
  Array.map (nearest tree) points

let drover points =
  Drover.Array.map (nearest (build Drover.both points)) points

let domainslib pool points =
  let tree = build (By_hand.both pool) points in
  By_hand.init pool (Array.length points) (fun i -> nearest tree points.(i))

let input n =
  let rng = Random.State.make [| n |] in
  Array.init n (fun _ -> Array.init 2 (fun _ -> Random.State.float rng 1.))

let kernel =
  Program.kernel ~name:"neighbours" ~doc:"nearest neighbours by a k-d tree"
    ~sizes:(1_000, 100_000, 500_000)
    ~about:(Printf.sprintf "%d points")
    ~input
    ~show:(fun a -> Printf.sprintf "%d neighbours" (Array.length a))
    ~serial ~drover ~domainslib ()
