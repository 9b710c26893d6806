(* The nodes that a few searches meet, brought into the cache.

   A step of a search in a large tree is a cache miss, and the next step waits for it. The steps of
   different searches do not wait for each other: so the searches go down side by side, before the
   nodes are needed one search after the other. Chen, Ailamaki, Gibbons, Mowry, "Improving Hash Join
   Performance through Prefetching" (ICDE 2004), call it group prefetching. Kernel: ordered-map. *)

open Tree

(* A smaller tree has been read by those before. *)
let least = 256

let[@inline] below cmp key tree =
  match tree with Empty -> Empty | Node n -> if cmp key n.key < 0 then n.left else n.right

(* As many searches as a processor keeps up with, for [key 0] and so on, [n] of them, until all have
   ended. Their places are variables, so that a step is a few instructions: then the processor looks
   ahead as far as the others' steps, and fetches their nodes while it waits for one. *)
let width = 8

let descend cmp key n tree =
  let key i = key (Int.min i (n - 1)) and place i = if i < n then tree else Empty in
  let k0 = key 0 and k1 = key 1 and k2 = key 2 and k3 = key 3 in
  let k4 = key 4 and k5 = key 5 and k6 = key 6 and k7 = key 7 in
  let t0 = ref (place 0) and t1 = ref (place 1) and t2 = ref (place 2) and t3 = ref (place 3) in
  let t4 = ref (place 4) and t5 = ref (place 5) and t6 = ref (place 6) and t7 = ref (place 7) in
  let[@inline] have_ended a b c d = a == Empty && b == Empty && c == Empty && d == Empty in
  while not (have_ended !t0 !t1 !t2 !t3 && have_ended !t4 !t5 !t6 !t7) do
    t0 := below cmp k0 !t0;
    t1 := below cmp k1 !t1;
    t2 := below cmp k2 !t2;
    t3 := below cmp k3 !t3;
    t4 := below cmp k4 !t4;
    t5 := below cmp k5 !t5;
    t6 := below cmp k6 !t6;
    t7 := below cmp k7 !t7
  done

let rec groups cmp key items lo hi tree =
  if lo < hi then begin
    descend cmp (fun i -> key items.(lo + i)) (hi - lo) tree;
    groups cmp key items (lo + width) hi tree
  end

(* The searches for the keys of the items [lo, hi). What a comparison raises, it raises again where it
   matters. *)
let searches cmp key items lo hi tree =
  if hi - lo > 1 && size tree >= least then try groups cmp key items lo hi tree with _ -> ()
