(* The distances of all nodes of a graph from the first one. Serially by Dijkstra's algorithm, with a
   binary heap in arrays; in parallel as the manual has it, by delta-stepping. *)

open Delta_stepping

module Heap = struct
  type t = {
    mutable keys : int array;
    mutable nodes : int array;
    mutable size : int;
  }

  let create () =
    { keys = Array.make 1_000 0; nodes = Array.make 1_000 0; size = 0 }

  let twice a = Array.append a a

  let set h i key node =
    h.keys.(i) <- key;
    h.nodes.(i) <- node

  let rec rise h i key node =
    let above = (i - 1) / 2 in
    if i > 0 && key < h.keys.(above) then begin
      set h i h.keys.(above) h.nodes.(above);
      rise h above key node
    end
    else set h i key node

  let rec sink h i key node =
    let left = (2 * i) + 1 in
    let right = left + 1 in
    let child =
      if right < h.size && h.keys.(right) < h.keys.(left) then right
      else left
    in
    if child < h.size && h.keys.(child) < key then begin
      set h i h.keys.(child) h.nodes.(child);
      sink h child key node
    end
    else set h i key node

  let add h key node =
    if h.size = Array.length h.keys then begin
      h.keys <- twice h.keys;
      h.nodes <- twice h.nodes
    end;
    h.size <- h.size + 1;
    rise h (h.size - 1) key node

  let remove_first h =
    h.size <- h.size - 1;
    if h.size > 0 then sink h 0 h.keys.(h.size) h.nodes.(h.size)
end

let serial g =
  let distance = Array.make (Array.length g.rows - 1) far in
  let heap = Heap.create () in
  let lower v d =
    if d < distance.(v) then begin
      distance.(v) <- d;
      Heap.add heap d v
    end
  in
  lower 0 0;
  while heap.size > 0 do
    let d = heap.keys.(0) and v = heap.nodes.(0) in
    Heap.remove_first heap;
    if d = distance.(v) then
      for e = g.rows.(v) to g.rows.(v + 1) - 1 do
        lower g.targets.(e) (d + g.lengths.(e))
      done
  done;
  distance

let drover g = distances ~delta:10 g 0
let degree = 8

let input n =
  let rng = Random.State.make [| n |] in
  let of_edges f = Array.init (degree * n) f in
  {
    rows = Array.init (n + 1) (fun v -> degree * v);
    targets = of_edges (fun _ -> Random.State.int rng n);
    lengths = of_edges (fun _ -> 1 + Random.State.int rng 100);
  }

let show distance =
  let reached = List.filter (( > ) far) (Array.to_list distance) in
  Printf.sprintf "%d nodes reached, the farthest %d away"
    (List.length reached)
    (List.fold_left Int.max 0 reached)

let kernels =
  [
    Drover_programs.Program.kernel ~name:"paths"
      ~doc:"shortest paths: a heap; and delta-stepping by frontiers"
      ~sizes:(500, 60_000, 500_000)
      ~about:(Printf.sprintf "%d nodes, 8 edges each")
      ~input ~show ~serial ~drover ();
  ]
