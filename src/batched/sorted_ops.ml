(* A batch, sorted by key: operations on one key stay in the order of the batch. Intervals are [lo,
   hi). *)

type ('k, 'v) t = ('k, 'v) Operation.t array

let sorted cmp (ops : _ t) =
  let sorted = Array.copy ops in
  Drover.Array.stable_sort (fun a b -> cmp (Operation.key a) (Operation.key b)) sorted;
  sorted

(* None if a comparison raised, or there is nothing to sort. *)
let sort cmp (ops : _ t) =
  if Array.length ops < 2 then None else try Some (sorted cmp ops) with _ -> None

(* The first operation in [lo, hi) whose key is not before [key]. *)
let rec lower_bound cmp (ops : _ t) key lo hi =
  if lo >= hi then lo
  else
    let mid = (lo + hi) / 2 in
    if cmp (Operation.key ops.(mid)) key < 0 then lower_bound cmp ops key (mid + 1) hi
    else lower_bound cmp ops key lo mid

(* The first operation in [lo, hi) whose key is behind [key]. The ones on one key are few: looked
   for from the left. *)
let rec upper_bound cmp (ops : _ t) key lo hi =
  if lo < hi && cmp (Operation.key ops.(lo)) key = 0 then upper_bound cmp ops key (lo + 1) hi
  else lo
