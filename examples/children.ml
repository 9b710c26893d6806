(* Trees whose nodes have any number of children: one function of lists for
   all of them, at each node. *)

type tree = Node of int * tree list

let rec total (Node (n, children)) =
  Drover.List.reduce ~init:n ~combine:( + ) total children

let rec map f (Node (n, children)) =
  let children = Drover.List.map (map f) children in
  Node (f n, children)

let () =
  let tree = Node (1, [ Node (2, []); Node (3, [ Node (4, []) ]) ]) in
  Printf.printf "%d, and %d\n" (total tree) (total (map succ tree))

let rec factorial n = if n < 2 then 1 else n * factorial (n - 1)

(* Of 1 .. [n], below each the numbers that divide it. *)
let rec divisors n =
  let divides m = n mod m = 0 in
  let below = List.filter divides (List.init (n / 2) succ) in
  Node (n, List.map divisors below)

let () =
  let tree = Node (0, List.init 100 (fun i -> divisors (i + 1))) in
  Printf.printf "numbers: %d\n" (total (map (fun _ -> 1) tree));
  Printf.printf "their sum: %d\n" (total tree);
  Printf.printf "of factorials: %d\n"
    (total (map (fun n -> factorial (n mod 10)) tree))
