(* Breadth-first search: how far each node is from the first one. *)

let far = max_int

let serial (g : Graph.t) =
  let n = Graph.nodes g in
  let distance = Array.make n far and queue = Array.make n 0 in
  distance.(0) <- 0;
  let queued = ref 1 in
  let rec go next =
    if next < !queued then begin
      let v = queue.(next) in
      Graph.iter
        (fun u ->
          if distance.(u) = far then begin
            distance.(u) <- distance.(v) + 1;
            queue.(!queued) <- u;
            incr queued
          end)
        g v;
      go (next + 1)
    end
  in
  go 0;
  distance

(* Level by level: [expand frontier visit] is what [visit v push] pushes for the nodes [v] of
   [frontier]. That two workers find a node at the same moment does no harm: both store the same, and
   the node is in the next level twice. *)
let levels expand g =
  let distance = Array.make (Graph.nodes g) far in
  let rec go level frontier =
    let visit v push =
      Graph.iter
        (fun u ->
          if distance.(u) = far then begin
            (distance.(u) <- level) [@drover.racy "all store the same"];
            push u
          end)
        g v
    in
    if frontier <> [||] then go (level + 1) (expand frontier visit)
  in
  distance.(0) <- 0;
  go 1 [| 0 |];
  distance

let drover =
  levels (fun frontier visit -> Drover.Array.collect visit frontier)

let domainslib pool =
  levels (fun frontier visit ->
      let part lo hi =
        let found = Dynarray.create () in
        for i = lo to hi do
          visit frontier.(i) (Dynarray.add_last found)
        done;
        Dynarray.to_array found
      in
      Array.concat
        (Drover_kernels.Chunks.map pool (Array.length frontier) part))

let show distance =
  let farthest =
    Array.fold_left
      (fun m d -> if d = far then m else Int.max m d)
      0 distance
  in
  Printf.sprintf "the farthest node is %d away" farthest

let kernel =
  Program.kernel ~name:"bfs" ~doc:"breadth-first search of an R-MAT graph"
    ~sizes:(1 lsl 10, 1 lsl 17, 1 lsl 19)
    ~about:(Printf.sprintf "R-MAT graph of %d nodes")
    ~input:Graph.rmat ~show ~serial ~drover ~domainslib ()
