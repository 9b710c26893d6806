type t = { first : int array; targets : int array }

let nodes g = Array.length g.first - 1
let degree g v = g.first.(v + 1) - g.first.(v)

let[@inline] iter f g v =
  for e = g.first.(v) to g.first.(v + 1) - 1 do
    f g.targets.(e)
  done

(* A random permutation keeps the nodes of many edges from being the first ones. *)
let permutation rng n =
  let p = Array.init n Fun.id in
  for i = n - 1 downto 1 do
    let j = Random.State.int rng (i + 1) in
    let x = p.(i) in
    p.(i) <- p.(j);
    p.(j) <- x
  done;
  p

(* An edge chooses one of the four quarters of the matrix again and again. *)
let rmat_edges n =
  let rng = Random.State.make [| n |] in
  let rec place u v side =
    if side = 1 then (u, v)
    else
      let half = side / 2 and dice = Random.State.int rng 100 in
      if dice < 57 then place u v half
      else if dice < 76 then place u (v + half) half
      else if dice < 95 then place (u + half) v half
      else place (u + half) (v + half) half
  in
  let name = permutation rng n in
  Array.init (8 * n) (fun _ ->
      let u, v = place 0 0 n in
      (name.(u), name.(v)))

(* An edge from [u] to [v] is the number [u * n + v]. *)
let of_edges n edges =
  let there = Array.map (fun (u, v) -> (u * n) + v) edges
  and back = Array.map (fun (u, v) -> (v * n) + u) edges in
  let joins_two e = e / n <> e mod n in
  let edges =
    Drover.run ~domains:1 @@ fun () ->
    let edges = Drover.Array.filter joins_two (Array.append there back) in
    Drover.Array.sort_ints edges;
    Drover.Array.dedup Int.equal edges
  in
  let first = Array.make (n + 1) 0 in
  Array.iter (fun e -> first.((e / n) + 1) <- first.((e / n) + 1) + 1) edges;
  for v = 1 to n do
    first.(v) <- first.(v) + first.(v - 1)
  done;
  { first; targets = Array.map (fun e -> e mod n) edges }

let rmat n = of_edges n (rmat_edges n)
