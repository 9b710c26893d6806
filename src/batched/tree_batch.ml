(* A batch of operations on a tree: the tree is divided where its root is, the sorted operations
   there too, the parts are dealt with in parallel and joined. Blelloch, Ferizovic, Sun, "Just Join
   for Parallel Ordered Sets" (SPAA 2016), section 5, with deletions and the rest beside insertions,
   and in place where the owner of the nodes asks for it (see [Tree]).

   Where a comparison raises, what remains there to do is done one operation after the other. No
   operation has been applied twice: those of a part are, at the earliest, when the part has been
   divided. *)

open Tree

let one owner cmp op tree =
  try alter owner cmp (Operation.key op) (Operation.step op) tree
  with exn ->
    Operation.fail op exn;
    tree

type ('k, 'v) batch = {
  owner : owner;
  compare : 'k -> 'k -> int;
  ops : ('k, 'v) Operation.t array;
  stopped : (exn * Printexc.raw_backtrace) option Atomic.t;
}

let rec in_turn b lo hi tree =
  if lo >= hi then tree else in_turn b (lo + 1) hi (one b.owner b.compare b.ops.(lo) tree)

(* The operations [lo, hi) on the binding of their common key. Which of equal keys is bound, where it
   can be seen, is that of the operation that bound it. *)
let rec on_binding b lo hi key binding =
  if lo >= hi then (key, binding)
  else
    let op = b.ops.(lo) in
    let key = if Option.is_none binding then Operation.key op else key in
    on_binding b (lo + 1) hi key (Operation.step op binding)

(* The operations of [lo, hi) that are on [pivot]. *)
let[@inline] interval b pivot lo hi ~most ~least =
  let first = Sorted_ops.lower_bound b.compare b.ops pivot lo most in
  (first, Sorted_ops.upper_bound b.compare b.ops pivot (Int.max first least) hi)

let rec sorted b lo hi tree =
  if lo >= hi then tree
  else if hi - lo = 1 then one b.owner b.compare b.ops.(lo) tree
  else
    (* The middle one is on its own key, whatever the comparison says: so the parts are shorter. *)
    let mid = (lo + hi) / 2 in
    let pivot, most, least =
      match tree with
      | Node n -> (n.key, hi, lo)
      | Empty -> (Operation.key b.ops.(mid), mid, mid + 1)
    in
    match interval b pivot lo hi ~most ~least with
    | first, last -> divide b lo first last hi pivot tree
    | exception _ -> in_turn b lo hi tree

(* Those of [first, last) are on [pivot]. *)
and divide b lo first last hi pivot tree =
  match tree with
  | Empty ->
      let left, right = parts b lo first last hi Empty Empty in
      let key, binding = on_binding b first last pivot None in
      join_option b.owner left key binding right
  | Node n -> (
      if first = last then around b lo first last hi tree
      else
        let before = Some n.value in
        match on_binding b first last n.key before with
        | _, after when after == before -> around b lo first last hi tree
        | key, Some value -> around b lo first last hi (bind b.owner tree key value)
        | _, None ->
            let left, right = parts b lo first last hi n.left n.right in
            join2 b.owner left right)

(* The operations that are not on the key of the root. *)
and around b lo first last hi tree =
  match tree with
  | Empty -> assert false (* has no root *)
  | Node n ->
      if lo = first && last = hi then tree
      else if lo = first then
        let l = size tree - size n.right in
        with_right b.owner tree l (part b (hi - lo) last hi n.right)
      else if last = hi then
        let r = size tree - size n.left in
        with_left b.owner tree (part b (hi - lo) lo first n.left) r
      else
        let left, right = parts b lo first last hi n.left n.right in
        replace b.owner tree left (weight left) right (weight right)

(* Stopped halfway, a batch has done some of its work, in place: so whatever was made is kept. *)
and parts b lo first last hi left right =
  let n = hi - lo in
  let left = ref left and right = ref right in
  let do_left () = left := part b n lo first !left in
  let do_right () = right := part b n last hi !right in
  (match Fork.ops n do_left do_right with
  | (), () -> ()
  | exception exn -> Atomic.set b.stopped (Some (exn, Printexc.get_raw_backtrace ())));
  (!left, !right)

(* A part of [n] operations. *)
and part b n lo hi tree =
  if hi - lo <= Fork.few_ops && n > Fork.few_ops then Tree_warm.searches b.compare b.ops lo hi tree;
  sorted b lo hi tree

(* [keep]s [tree] after [ops], and then raises what has stopped them, if anything has: the end of a scope,
   which comes between two parts. *)
let apply owner compare ops tree ~keep =
  let n = Array.length ops and stopped = Atomic.make None in
  let batch ops = { owner; compare; ops; stopped } in
  keep
    (match Sorted_ops.sort compare ops with
    | None -> in_turn (batch ops) 0 n tree
    | Some ops -> part (batch ops) max_int 0 n tree);
  match Atomic.get stopped with
  | None -> ()
  | Some (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace
