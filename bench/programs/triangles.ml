(* Triangles: how many threes of nodes are all neighbours. *)

(* Each edge is kept at that end which has fewer edges, so no list is long. *)
let directed (g : Graph.t) v =
  let comes_before u =
    compare (Graph.degree g v, v) (Graph.degree g u, u) < 0
  in
  let neighbours = Array.sub g.targets g.first.(v) (Graph.degree g v) in
  Array.of_seq (Seq.filter comes_before (Array.to_seq neighbours))

(* How many numbers two increasing arrays have in common. *)
let common a b =
  let rec go i j n =
    if i = Array.length a || j = Array.length b then n
    else if a.(i) < b.(j) then go (i + 1) j n
    else if a.(i) > b.(j) then go i (j + 1) n
    else go (i + 1) (j + 1) (n + 1)
  in
  go 0 0 0

let triangles_of out v =
  Array.fold_left (fun n u -> n + common out.(v) out.(u)) 0 out.(v)

let serial g =
  let n = Graph.nodes g in
  let out = Array.init n (directed g) in
  let count = ref 0 in
  for v = 0 to n - 1 do
    count := !count + triangles_of out v
  done;
  !count

let drover g =
  let n = Graph.nodes g in
  let out = Drover.Array.init n (directed g) in
  Drover.parallel_reduce ~start:0 ~finish:(n - 1) ~init:0 ~combine:( + )
    (triangles_of out)

let domainslib pool g =
  let open Domainslib.Task in
  let n = Graph.nodes g in
  let out = By_hand.init pool n (directed g) in
  parallel_for_reduce pool ( + ) 0 ~start:0 ~finish:(n - 1)
    ~body:(triangles_of out)

let kernel =
  Program.kernel ~name:"triangles"
    ~doc:"triangles of an R-MAT graph are counted"
    ~sizes:(1 lsl 9, 1 lsl 15, 1 lsl 17)
    ~about:(Printf.sprintf "R-MAT graph of %d nodes")
    ~input:Graph.rmat
    ~show:(Printf.sprintf "%d triangles")
    ~serial ~drover ~domainslib ()
