(* The distances of all nodes of a graph from the first one, by delta-stepping: nodes wait in
   buckets, by distance. The nodes of the lowest bucket are relaxed together, until it is empty. *)

let delta = 30

(* [relax graph distance nodes] lowers the distances of the neighbours that [nodes] improve, and
   returns these. *)
let paths relax graph =
  let distance = Array.make (Array.length graph) max_int in
  let buckets = Hashtbl.create 1_000 in
  let nodes_of i = Option.value (Hashtbl.find_opt buckets i) ~default:[] in
  let put v =
    let i = distance.(v) / delta in
    Hashtbl.replace buckets i (v :: nodes_of i)
  in
  let rec go i =
    if Hashtbl.length buckets > 0 then begin
      let nodes = nodes_of i in
      Hashtbl.remove buckets i;
      (* Others have come to a lower bucket meanwhile. *)
      let nodes = List.filter (fun v -> distance.(v) / delta = i) nodes in
      Array.iter put (relax graph distance (Array.of_list nodes));
      go (if Hashtbl.mem buckets i then i else i + 1)
    end
  in
  distance.(0) <- 0;
  put 0;
  go 0;
  distance

let relax_serially graph distance nodes =
  let improved = Dynarray.create () in
  let relax v (u, weight) =
    if distance.(v) + weight < distance.(u) then begin
      distance.(u) <- distance.(v) + weight;
      Dynarray.add_last improved u
    end
  in
  Array.iter (fun v -> Array.iter (relax v) graph.(v)) nodes;
  Dynarray.to_array improved

(* The neighbours that [nodes] improve, with their new distances. *)
let requests graph distance nodes =
  let requests_of v push =
    let request (u, weight) =
      if distance.(v) + weight < distance.(u) then
        push (u, distance.(v) + weight)
    in
    Array.iter request graph.(v)
  in
  Drover.Array.collect requests_of nodes

(* Searches in parallel, and stores in a plain loop. *)
let relax graph distance nodes =
  let improved = Dynarray.create () in
  let store (u, d) =
    if d < distance.(u) then begin
      distance.(u) <- d;
      Dynarray.add_last improved u
    end
  in
  Array.iter store (requests graph distance nodes);
  Dynarray.to_array improved

let relax_by_groups graph distance nodes =
  let best (u, requests) =
    let lower least (_, d) = Int.min least d in
    distance.(u) <- Array.fold_left lower max_int requests;
    u
  in
  requests graph distance nodes
  |> Drover.Array.group_by fst |> Drover.Array.map best

let input n =
  let rng = Random.State.make [| n |] in
  let edge _ = (Random.State.int rng n, 1 + Random.State.int rng 100) in
  Array.init n (fun _ -> Array.init 8 edge)

let show distance =
  let reached = List.filter (( > ) max_int) (Array.to_list distance) in
  Printf.sprintf "%d nodes reached, the farthest %d away"
    (List.length reached)
    (List.fold_left Int.max 0 reached)

let kernel ~name ~doc relax =
  Drover_programs.Program.kernel ~name ~doc ~sizes:(500, 60_000, 500_000)
    ~about:(Printf.sprintf "%d nodes, 8 edges each")
    ~input ~show ~serial:(paths relax_serially) ~drover:(paths relax) ()

let kernels =
  [
    kernel ~name:"paths"
      ~doc:"shortest paths by delta-stepping: Array.collect" relax;
    kernel ~name:"paths-groups" ~doc:"the same, and then Array.group_by"
      relax_by_groups;
  ]
