(* A spanning forest: edges enough to connect what is connected, and none too many. *)

type input = { nodes : int; edges : (int * int) array }

let grow { edges; _ } forest lo hi =
  for e = lo to hi do
    let u, v = edges.(e) in
    Forest.add forest e u v
  done;
  forest

let last { edges; _ } = Array.length edges - 1
let serial i = Forest.edges (grow i (Forest.create i.nodes) 0 (last i))

(* Forests of parts of the edges are merged to that of all. *)
let drover i =
  let init () = Forest.create i.nodes and merge = Forest.merge (Array.get i.edges) in
  Forest.edges (Drover.parallel_fold_range ~start:0 ~finish:(last i) ~init ~merge (grow i))

let domainslib pool i =
  let part lo hi = grow i (Forest.create i.nodes) lo hi in
  Forest.edges (By_hand.fold pool (last i + 1) part (Forest.merge (Array.get i.edges)))

let kernel =
  Program.kernel ~name:"spanning-forest" ~doc:"a spanning forest of an R-MAT graph"
    ~sizes:(1 lsl 10, 1 lsl 17, 1 lsl 19)
    ~about:(Printf.sprintf "R-MAT graph of %d nodes")
    ~input:(fun nodes -> { nodes; edges = Graph.rmat_edges nodes })
    ~show:(fun f -> Printf.sprintf "%d edges" (Array.length f))
    ~serial ~drover ~domainslib ()
