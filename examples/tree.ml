(* Recursion over a tree, however lopsided it is, forks near the root. *)

type tree = Leaf | Node of tree * int * tree

let rec insert x = function
  | Leaf -> Node (Leaf, x, Leaf)
  | Node (l, y, r) ->
      if x < y then Node (insert x l, y, r) else Node (l, y, insert x r)

let rec serial_sum = function
  | Leaf -> 0
  | Node (l, x, r) -> serial_sum l + x + serial_sum r

(* Forks in the uppermost [levels]. *)
let rec sum levels = function
  | Node (l, x, r) when levels > 0 ->
      let left, right =
        Drover.both
          (fun () -> sum (levels - 1) l)
          (fun () -> sum (levels - 1) r)
      in
      left + x + right
  | tree -> serial_sum tree

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
  Printf.printf "bushy %d, lopsided %d\n" (sum 10 bushy) (sum 10 lopsided)
