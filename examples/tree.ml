(* Recursion over a tree, however lopsided it is, forks near the root. *)

type tree = Leaf | Node of tree * int * tree

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

(* The numbers from [low] to [high], in a balanced tree. *)
let rec tree_of low high =
  if low > high then Leaf
  else
    let middle = (low + high) / 2 in
    Node (tree_of low (middle - 1), middle, tree_of (middle + 1) high)

let () = Printf.printf "%d\n" (sum 10 (tree_of 1 100_000))

(* Of a tree that is a list there is no second half, and it is summed up all the same. *)
let () =
  let lopsided =
    List.fold_left
      (fun t i -> Node (t, i, Leaf))
      Leaf (List.init 100_000 succ)
  in
  Printf.printf "lopsided: %d\n" (sum 10 lopsided)
