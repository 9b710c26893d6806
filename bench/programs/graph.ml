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

let of_edges n edges =
  let neighbours = Array.make n [] in
  let add u v = if u <> v then neighbours.(u) <- v :: neighbours.(u) in
  Array.iter
    (fun (u, v) ->
      add u v;
      add v u)
    edges;
  let neighbours = Array.map (List.sort_uniq Int.compare) neighbours in
  let first = Array.make (n + 1) 0 in
  Array.iteri (fun v l -> first.(v + 1) <- first.(v) + List.length l) neighbours;
  { first; targets = Array.concat (List.map Array.of_list (Array.to_list neighbours)) }

let rmat n = of_edges n (rmat_edges n)
