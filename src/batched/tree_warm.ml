(* The nodes that a few searches meet, brought into the cache.

   A step of a search in a large tree is a cache miss, and the next step waits for it. The steps of
   different searches do not wait for each other: so the searches go down side by side, before the
   nodes are needed one search after the other. Chen, Ailamaki, Gibbons, Mowry, "Improving Hash Join
   Performance through Prefetching" (ICDE 2004), call it group prefetching. Probe: batch-lengths. *)

open Tree

(* A smaller tree has been read by those before. *)
let least = 64

let rec groups cmp ops lo hi tree =
  if lo < hi then begin
    Tree_descent.descend cmp (fun i -> Operation.key ops.(lo + i)) (hi - lo) tree;
    groups cmp ops (lo + Tree_descent.width) hi tree
  end

(* The searches for the keys of the operations [lo, hi). What a comparison raises, it raises again
   where it matters. *)
let searches cmp ops lo hi tree =
  if hi - lo > 1 && size tree >= least then try groups cmp ops lo hi tree with _ -> ()
