(* Recursion over a tree forks as deep as the tree goes, however lopsided it is. *)

type tree = Leaf | Node of tree * int * tree

let rec insert x = function
  | Leaf -> Node (Leaf, x, Leaf)
  | Node (l, y, r) ->
      if x < y then Node (insert x l, y, r) else Node (l, y, insert x r)

let rec sum = function
  | Leaf -> 0
  | Node (l, x, r) ->
      let left, right = Drover.both (fun () -> sum l) (fun () -> sum r) in
      left + x + right

let () =
  let bushy =
    List.fold_left
      (fun t i -> insert (i * 7919 mod 10_007) t)
      Leaf (List.init 10_007 Fun.id)
  in
  let lopsided =
    List.fold_left
      (fun t i -> Node (t, i, Leaf))
      Leaf
      (List.init 100_000 Fun.id)
  in
  Printf.printf "bushy %d, lopsided %d\n" (sum bushy) (sum lopsided)
