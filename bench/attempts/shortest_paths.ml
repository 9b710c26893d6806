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

let relax graph distance nodes =
  let requests v push =
    let request (u, weight) =
      if distance.(v) + weight < distance.(u) then
        push (u, distance.(v) + weight)
    in
    Array.iter request graph.(v)
  in
  let best (u, requests) =
    let lower least (_, d) = Int.min least d in
    distance.(u) <- Array.fold_left lower max_int requests;
    u
  in
  Drover.Array.collect requests nodes
  |> Drover.Array.group_by fst |> Drover.Array.map best

let input n =
  let rng = Random.State.make [| n |] in
  let edge _ = (Random.State.int rng n, 1 + Random.State.int rng 100) in
  Array.init n (fun _ -> Array.init 8 edge)

let kernel =
  Drover_programs.Program.kernel ~name:"shortest-paths"
    ~doc:"delta-stepping by Array.collect and group_by"
    ~sizes:(500, 60_000, 500_000)
    ~about:(Printf.sprintf "%d nodes, 8 edges each")
    ~input
    ~show:(fun distance ->
      Printf.sprintf "largest %d" (Array.fold_left Int.max 0 distance))
    ~serial:(paths relax_serially) ~drover:(paths relax) ()
