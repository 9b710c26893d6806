(* How far each node of a graph is from the first one: a breadth-first search. *)

let distances graph =
  let n = Array.length graph in
  let seen = Drover.Bitset.create n and distance = Array.make n (-1) in
  let reach level v =
    Drover.Bitset.add seen v
    && begin
      distance.(v) <- level;
      true
    end
  in
  let rec go frontier level =
    if frontier <> [||] then
      let expand v push =
        Array.iter (fun u -> if reach level u then push u) graph.(v)
      in
      go (Drover.Array.collect expand frontier) (level + 1)
  in
  if reach 0 0 then go [| 0 |] 1;
  distance

(* From [v] one comes to [v + 1] and to [2 * v]. *)
let graph n = Array.init n (fun v -> [| (v + 1) mod n; 2 * v mod n |])

let () =
  let distance = distances (graph 100_000) in
  Printf.printf "99999 is %d steps away\n" distance.(99_999);
  Printf.printf "the farthest node is %d steps away\n"
    (Array.fold_left max 0 distance)
