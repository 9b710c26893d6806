(* A minimum spanning forest, by Kruskal's algorithm: the edges are sorted by weight, and each is taken
   that connects something new. *)

type edge = { u : int; v : int; weight : float }

let lighter a b = Float.compare a.weight b.weight

let grow edges forest lo hi =
  for e = lo to hi do
    Forest.add forest e edges.(e).u edges.(e).v
  done;
  forest

let ends edges e = (edges.(e).u, edges.(e).v)

let weight edges forest =
  Array.fold_left
    (fun w e -> w +. edges.(e).weight)
    0. (Forest.edges forest)

let last edges = Array.length edges - 1

let serial (nodes, edges) =
  let edges = Array.copy edges in
  Array.stable_sort lighter edges;
  weight edges (grow edges (Forest.create nodes) 0 (last edges))

let drover (nodes, edges) =
  let edges = Array.copy edges in
  Drover.Array.sort lighter edges;
  let make () = Forest.create nodes and merge = Forest.merge (ends edges) in
  weight edges
    (Drover.parallel_fold_range ~start:0 ~finish:(last edges) ~make ~merge
       (grow edges))

let domainslib pool (nodes, edges) =
  let edges = Array.copy edges in
  By_hand.sort pool lighter edges;
  let part lo hi = grow edges (Forest.create nodes) lo hi in
  weight edges
    (By_hand.fold pool (last edges + 1) part (Forest.merge (ends edges)))

let input nodes =
  let rng = Random.State.make [| nodes |] in
  let weighted (u, v) = { u; v; weight = Random.State.float rng 1. } in
  (nodes, Array.map weighted (Graph.rmat_edges nodes))

let kernel =
  Program.kernel ~name:"minimum-forest"
    ~doc:"a minimum spanning forest of an R-MAT graph"
    ~sizes:(1 lsl 10, 1 lsl 15, 1 lsl 18)
    ~about:(Printf.sprintf "R-MAT graph of %d nodes")
    ~input
    ~show:(Printf.sprintf "weight %.3f")
    ~serial ~drover ~domainslib ()
