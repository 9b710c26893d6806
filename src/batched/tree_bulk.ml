(* What is done to whole trees, in parallel: a tree is divided at its root, or where another one's
   root belongs. *)

open Tree

(* What [f] makes of the parts of a tree and the parts of [b] that belong there, and the binding of
   [b] between these. *)
let beside cmp f left key right b =
  let before, binding, behind = split cmp key b in
  let left, right =
    Fork.nodes
      (size left + size right + size b)
      (fun () -> f left before)
      (fun () -> f right behind)
  in
  (left, binding, right)

let rec union cmp combine a b =
  match (a, b) with
  | Empty, t | t, Empty -> t
  | Node n, _ ->
      let left, other, right = beside cmp (union cmp combine) n.left n.key n.right b in
      let value = match other with None -> n.value | Some v -> combine n.key n.value v in
      join nobody left n.key value right

let rec inter cmp combine a b =
  match (a, b) with
  | Empty, _ | _, Empty -> Empty
  | Node n, _ ->
      let left, other, right = beside cmp (inter cmp combine) n.left n.key n.right b in
      join_option nobody left n.key (Option.map (combine n.key n.value) other) right

(* [a] without the keys of [b]. *)
let rec diff cmp a b =
  match (a, b) with
  | Empty, _ -> Empty
  | _, Empty -> a
  | _, Node n ->
      let left, _, right = beside cmp (fun b a -> diff cmp a b) n.left n.key n.right a in
      join2 nobody left right

let rec filter_map f tree =
  match tree with
  | Empty -> Empty
  | Node n ->
      let left, right =
        Fork.nodes (size tree) (fun () -> filter_map f n.left) (fun () -> filter_map f n.right)
      in
      join_option nobody left n.key (f n.key n.value) right

let rec map f tree =
  match tree with
  | Empty -> Empty
  | Node n ->
      let left, right = Fork.nodes (size tree) (fun () -> map f n.left) (fun () -> map f n.right) in
      node nobody left n.key (f n.key n.value) right

let rec map_reduce f combine init tree =
  match tree with
  | Empty -> init
  | Node n ->
      let left, right =
        Fork.nodes (size tree)
          (fun () -> map_reduce f combine init n.left)
          (fun () -> map_reduce f combine init n.right)
      in
      combine (combine left (f n.key n.value)) right

let to_array f tree =
  let rec fill a at tree =
    match tree with
    | Empty -> ()
    | Node n ->
        let middle = at + size n.left in
        a.(middle) <- f n.key n.value;
        let (), () =
          Fork.nodes (size tree)
            (fun () -> fill a at n.left)
            (fun () -> fill a (middle + 1) n.right)
        in
        ()
  in
  match tree with
  | Empty -> [||]
  | Node n ->
      let a = Array.make (size tree) (f n.key n.value) in
      fill a 0 tree;
      a
