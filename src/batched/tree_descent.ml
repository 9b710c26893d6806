open Tree

let[@inline] step cmp key tree =
  match tree with Empty -> Empty | Node n -> if cmp key n.key < 0 then n.left else n.right

(* As many searches as a processor keeps up with, from [tree], for [key 0] and so on, [n] of them,
   until all have ended. Their places are variables, so that a step is a few instructions: then the
   processor looks ahead as far as the others' steps, and fetches their nodes while it waits for
   one. *)
let width = 8

let descend cmp key n tree =
  let key i = key (Int.min i (n - 1)) and place i = if i < n then tree else Empty in
  let k0 = key 0 and k1 = key 1 and k2 = key 2 and k3 = key 3 in
  let k4 = key 4 and k5 = key 5 and k6 = key 6 and k7 = key 7 in
  let p0 = ref (place 0) and p1 = ref (place 1) and p2 = ref (place 2) and p3 = ref (place 3) in
  let p4 = ref (place 4) and p5 = ref (place 5) and p6 = ref (place 6) and p7 = ref (place 7) in
  let[@inline] have_ended a b c d = a == Empty && b == Empty && c == Empty && d == Empty in
  while not (have_ended !p0 !p1 !p2 !p3 && have_ended !p4 !p5 !p6 !p7) do
    p0 := step cmp k0 !p0;
    p1 := step cmp k1 !p1;
    p2 := step cmp k2 !p2;
    p3 := step cmp k3 !p3;
    p4 := step cmp k4 !p4;
    p5 := step cmp k5 !p5;
    p6 := step cmp k6 !p6;
    p7 := step cmp k7 !p7
  done
