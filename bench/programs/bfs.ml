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

(* By frontiers, which look from the other side where they are wide. *)
let drover (g : Graph.t) =
  let n = Graph.nodes g in
  let distance = Array.make n far in
  let rec go level frontier =
    let apply u level =
      distance.(u) = far
      && begin
        distance.(u) <- level;
        true
      end
    in
    let scatter out _ lo hi =
      for e = lo to hi do
        let u = g.targets.(e) in
        if distance.(u) = far then Drover.Frontier.send out u level
      done
    in
    let rec finds e hi =
      e <= hi
      && (Drover.Frontier.mem frontier g.targets.(e) || finds (e + 1) hi)
    in
    let gather u lo hi =
      distance.(u) = far && finds lo hi && apply u level
    in
    if not (Drover.Frontier.is_empty frontier) then
      go (level + 1)
        (if Drover.Frontier.should_pull frontier g.first then
           Drover.Frontier.pull frontier g.first ~gather
         else Drover.Frontier.push frontier g.first ~scatter ~apply)
  in
  distance.(0) <- 0;
  go 1 (Drover.Frontier.of_array n [| 0 |]);
  distance

(* Level by level. That two workers find a node at the same moment does no harm: both store the same,
   and the node is in the next level twice. *)
let domainslib pool g =
  let distance = Array.make (Graph.nodes g) far in
  let rec go level frontier =
    let visit push v =
      Graph.iter
        (fun u ->
          if distance.(u) = far then begin
            (distance.(u) <- level) [@drover.racy "all store the same"];
            push u
          end)
        g v
    in
    let part lo hi =
      let found = Dynarray.create () in
      for i = lo to hi do
        visit (Dynarray.add_last found) frontier.(i)
      done;
      Dynarray.to_array found
    in
    if frontier <> [||] then
      go (level + 1)
        (Array.concat
           (Drover_kernels.Chunks.map pool (Array.length frontier) part))
  in
  distance.(0) <- 0;
  go 1 [| 0 |];
  distance

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
