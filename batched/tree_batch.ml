(* A batch of operations on a tree: the tree is divided where its root is, the sorted operations
   there too, the parts are dealt with in parallel and joined. Blelloch, Ferizovic, Sun, "Just Join
   for Parallel Ordered Sets" (SPAA 2016), section 5, with deletions and the rest beside insertions.

   Where a comparison raises, what remains there to do is done one operation after the other. No
   operation has been applied twice: those of a part are, at the earliest, when the part has been
   divided. *)

open Tree

(* One operation on [tree]. *)
let rec alter cmp op tree =
  match tree with
  | Empty -> join_option Empty (Op.key op) (Op.step op None) Empty
  | Node n ->
      let c = cmp (Op.key op) n.key in
      if c < 0 then
        let left = alter cmp op n.left in
        if left == n.left then tree else with_left tree left
      else if c > 0 then
        let right = alter cmp op n.right in
        if right == n.right then tree else with_right tree right
      else
        let before = Some n.value in
        let after = Op.step op before in
        if after == before then tree else join_option n.left n.key after n.right

let one cmp op tree =
  try alter cmp op tree
  with exn ->
    Op.fail op exn;
    tree

let rec in_turn cmp ops lo hi tree =
  if lo >= hi then tree else in_turn cmp ops (lo + 1) hi (one cmp ops.(lo) tree)

(* The operations [lo, hi) on the binding of their common key. Which of equal keys is bound, where it
   can be seen, is that of the operation that bound it. *)
let rec on_binding ops lo hi key binding =
  if lo >= hi then (key, binding)
  else
    let op = ops.(lo) in
    let key = if Option.is_none binding then Op.key op else key in
    on_binding ops (lo + 1) hi key (Op.step op binding)

let rec sorted cmp ops lo hi tree =
  if lo >= hi then tree
  else if hi - lo = 1 then one cmp ops.(lo) tree
  else
    (* The middle one is on its own key, whatever the comparison says: so the parts are shorter. *)
    let mid = (lo + hi) / 2 in
    let pivot, most, least =
      match tree with Node n -> (n.key, hi, lo) | Empty -> (Op.key ops.(mid), mid, mid + 1)
    in
    match
      let first = Sorted_ops.lower_bound cmp ops pivot lo most in
      (first, Sorted_ops.upper_bound cmp ops pivot (Int.max first least) hi)
    with
    | first, last -> divide cmp ops lo first last hi pivot tree
    | exception _ -> in_turn cmp ops lo hi tree

(* Those of [first, last) are on [pivot]. *)
and divide cmp ops lo first last hi pivot tree =
  match tree with
  | Empty ->
      let left, right = parts cmp ops lo first last hi Empty Empty in
      let key, binding = on_binding ops first last pivot None in
      join_option left key binding right
  | Node n ->
      let left, right = parts cmp ops lo first last hi n.left n.right in
      if first < last then
        let before = Some n.value in
        let key, after = on_binding ops first last n.key before in
        if after == before then rejoin tree left n.value right else join_option left key after right
      else rejoin tree left n.value right

and parts cmp ops lo first last hi left right =
  let n = hi - lo in
  if lo = first then (left, part cmp ops n last hi right)
  else if last = hi then (part cmp ops n lo first left, right)
  else Fork.ops n (fun () -> part cmp ops n lo first left) (fun () -> part cmp ops n last hi right)

(* A part of [n] operations. *)
and part cmp ops n lo hi tree =
  if hi - lo <= Fork.few_ops && n > Fork.few_ops then Tree_warm.searches cmp Op.key ops lo hi tree;
  sorted cmp ops lo hi tree

and rejoin tree left value right =
  match tree with
  | Node n when right == n.right -> if left == n.left then tree else with_left tree left
  | Node n when left == n.left -> with_right tree right
  | Node n -> join left n.key value right
  | Empty -> assert false (* has no value *)

(* [tree] after [ops]. *)
let apply cmp ops tree =
  let n = Array.length ops in
  match Sorted_ops.sort cmp ops with
  | None -> in_turn cmp ops 0 n tree
  | Some ops -> part cmp ops max_int 0 n tree
