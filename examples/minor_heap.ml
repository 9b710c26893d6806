(* A program that allocates on every step wants a larger minor heap, so that its domains stop less
   often. *)

type tree = Leaf | Node of tree * tree

let rec make depth =
  if depth = 0 then Leaf
  else
    let l, r =
      Drover.both (fun () -> make (depth - 1)) (fun () -> make (depth - 1))
    in
    Node (l, r)

let rec leaves = function Leaf -> 1 | Node (l, r) -> leaves l + leaves r

let () =
  Drover.Pool.with_pool ~minor_heap_words:1_000_000 @@ fun pool ->
  Printf.printf "%d leaves\n"
    (leaves (Drover.Pool.run pool (fun () -> make 14)))
