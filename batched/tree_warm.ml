(* The nodes that a few searches meet, brought into the cache.

   A step of a search in a large tree is a cache miss, and the next step waits for it. The steps of
   different searches do not wait for each other: so the searches go down side by side, before the
   nodes are needed one search after the other. Chen, Ailamaki, Gibbons, Mowry, "Improving Hash Join
   Performance through Prefetching" (ICDE 2004), call it group prefetching. Kernel: ordered-map. *)

open Tree

(* As many searches as a processor keeps up with. *)
let width = 8

(* A smaller tree has been read by those before. *)
let least = 256

(* Steps each of [places] towards the key of its item; they are for those from [lo] on. *)
let rec descend cmp key items lo places =
  let left = ref 0 in
  for i = 0 to Array.length places - 1 do
    match Array.unsafe_get places i with
    | Empty -> ()
    | Node n ->
        incr left;
        let c = cmp (key (Array.unsafe_get items (lo + i))) n.key in
        Array.unsafe_set places i (if c < 0 then n.left else n.right)
  done;
  if !left > 0 then descend cmp key items lo places

(* The searches for the keys of the items [lo, hi). What a comparison raises, it raises again where it
   matters. *)
let searches cmp key items lo hi tree =
  if hi - lo > 1 && size tree >= least then
    try descend cmp key items lo (Array.make (hi - lo) tree) with _ -> ()
