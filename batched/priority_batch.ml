(* A batch of pushes and pops on a tree of elements, where equal ones are in the order in which they
   came: a new one goes behind. *)

open Tree

(* A push has an element; the outcome is what was popped. *)
type 'a op = { element : 'a option; mutable outcome : 'a option Outcome.t }

let settle op popped = op.outcome <- Is popped

let rec put cmp x tree =
  match tree with
  | Empty -> singleton nobody x ()
  | Node n ->
      if cmp x n.key < 0 then with_left nobody tree (put cmp x n.left) (n.size - size n.left)
      else with_right nobody tree (n.size - size n.right) (put cmp x n.right)

(* An operation that pushes, with its element. *)
let push cmp (op, x) tree =
  match put cmp x tree with
  | tree ->
      settle op None;
      tree
  | exception exn ->
      op.outcome <- Outcome.failed exn;
      tree

let pop op tree =
  match tree with
  | Empty ->
      settle op None;
      Empty
  | Node _ ->
      let x, (), rest = take_first tree in
      settle op (Some x);
      rest

let one cmp op tree = match op.element with Some x -> push cmp (op, x) tree | None -> pop op tree

let rec in_turn cmp pushes lo hi tree =
  if lo >= hi then tree else in_turn cmp pushes (lo + 1) hi (push cmp pushes.(lo) tree)

(* The first of the sorted pushes [lo, hi) whose element is not before [x]. *)
let rec lower_bound cmp pushes x lo hi =
  if lo >= hi then lo
  else
    let mid = (lo + hi) / 2 in
    if cmp (snd pushes.(mid)) x < 0 then lower_bound cmp pushes x (mid + 1) hi
    else lower_bound cmp pushes x lo mid

let rec build pushes lo hi =
  if lo >= hi then Empty
  else
    let mid = (lo + hi) / 2 in
    let left, right =
      Fork.nodes (hi - lo) (fun () -> build pushes lo mid) (fun () -> build pushes (mid + 1) hi)
    in
    let op, x = pushes.(mid) in
    settle op None;
    node nobody left x () right

(* As in [Tree_batch]: where a comparison raises, the rest there comes in turn. *)
let rec sorted cmp pushes lo hi tree =
  match tree with
  | Empty -> build pushes lo hi
  | Node _ when lo >= hi -> tree
  | Node _ when hi - lo = 1 -> push cmp pushes.(lo) tree
  | Node n -> (
      match lower_bound cmp pushes n.key lo hi with
      | mid ->
          let part = part cmp pushes (hi - lo) in
          let left, right =
            Fork.ops (hi - lo) (fun () -> part lo mid n.left) (fun () -> part mid hi n.right)
          in
          join nobody left n.key () right
      | exception _ -> in_turn cmp pushes lo hi tree)

and part cmp pushes n lo hi tree =
  if hi - lo <= Fork.few_ops && n > Fork.few_ops then Tree_warm.searches cmp snd pushes lo hi tree;
  sorted cmp pushes lo hi tree

let push_all cmp pushes tree =
  let n = Array.length pushes and in_order = Array.copy pushes in
  match Drover.Array.stable_sort (fun (_, x) (_, y) -> cmp x y) in_order with
  | () -> part cmp in_order max_int 0 n tree
  | exception _ -> in_turn cmp pushes 0 n tree

let pop_all pops tree =
  let popped, rest = split_at (Array.length pops) tree in
  let popped = Tree_bulk.to_array (fun x () -> x) popped in
  let hand_out i op = settle op (if i < Array.length popped then Some popped.(i) else None) in
  Array.iteri hand_out pops;
  rest

(* [tree] after [ops]: the pushes, then the pops. *)
let apply cmp ops tree =
  let pushes = Fresh.filter_map (fun op -> Option.map (fun x -> (op, x)) op.element) ops in
  let pops = Fresh.filter (fun op -> Option.is_none op.element) ops in
  pop_all pops (push_all cmp pushes tree)
