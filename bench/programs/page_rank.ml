(* Page rank: how much of a random surfer's time each page gets. *)

let rounds = 10
let damping = 0.85

(* The new ranks of the nodes from [lo] to [hi]; [share.(u)] is what each neighbour of [u] gets. *)
let update g share rank lo hi =
  let n = float (Graph.nodes g) in
  for v = lo to hi do
    let sum = ref 0. in
    for e = g.Graph.first.(v) to g.first.(v + 1) - 1 do
      sum := !sum +. share.(g.targets.(e))
    done;
    rank.(v) <- ((1. -. damping) /. n) +. (damping *. !sum)
  done

let divide g rank share lo hi =
  for v = lo to hi do
    share.(v) <- rank.(v) /. float (Graph.degree g v)
  done

(* [for_range body] is [body lo hi] for intervals of nodes that make up all. *)
let ranks for_range g =
  let n = Graph.nodes g in
  let rank = Array.make n (1. /. float n) and share = Array.make n 0. in
  for _ = 1 to rounds do
    for_range n (divide g rank share);
    for_range n (update g share rank)
  done;
  rank

let serial = ranks (fun n body -> body 0 (n - 1))

let drover =
  ranks (fun n body -> Drover.parallel_range ~start:0 ~finish:(n - 1) body)

let domainslib pool =
  ranks (fun n body ->
      Domainslib.Task.parallel_for pool ~start:0 ~finish:(n - 1)
        ~body:(fun v -> body v v))

let show rank =
  Printf.sprintf "the greatest is %.6f" (Array.fold_left Float.max 0. rank)

let kernel =
  Program.kernel ~name:"page-rank"
    ~doc:"ten rounds of page rank on an R-MAT graph"
    ~sizes:(1 lsl 10, 1 lsl 17, 1 lsl 19)
    ~about:(Printf.sprintf "R-MAT graph of %d nodes")
    ~input:Graph.rmat ~show ~serial ~drover ~domainslib ()
