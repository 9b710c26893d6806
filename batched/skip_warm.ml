(* The nodes that a few searches in a skip list meet, brought into the cache: as in [Tree_warm].
   Kernel: skip-list. *)

open Skip_line

let width = 8

(* One step further; below the lowest level there is nothing. *)
let[@inline] ahead cmp key node =
  match next node with
  | (Index { key = k; _ } | Base { key = k; _ }) as right when cmp k key < 0 -> right
  | _ -> down node

(* [n] searches from [node], for [key 0] and so on. *)
let descend cmp key n node =
  let key i = key (Int.min i (n - 1)) and place i = if i < n then node else Nil in
  let k0 = key 0 and k1 = key 1 and k2 = key 2 and k3 = key 3 in
  let k4 = key 4 and k5 = key 5 and k6 = key 6 and k7 = key 7 in
  let n0 = ref (place 0) and n1 = ref (place 1) and n2 = ref (place 2) and n3 = ref (place 3) in
  let n4 = ref (place 4) and n5 = ref (place 5) and n6 = ref (place 6) and n7 = ref (place 7) in
  let[@inline] have_ended a b c d = a == Nil && b == Nil && c == Nil && d == Nil in
  while not (have_ended !n0 !n1 !n2 !n3 && have_ended !n4 !n5 !n6 !n7) do
    n0 := ahead cmp k0 !n0;
    n1 := ahead cmp k1 !n1;
    n2 := ahead cmp k2 !n2;
    n3 := ahead cmp k3 !n3;
    n4 := ahead cmp k4 !n4;
    n5 := ahead cmp k5 !n5;
    n6 := ahead cmp k6 !n6;
    n7 := ahead cmp k7 !n7
  done

(* The searches for the sorted operations [lo, hi), eight at most; [finger] is nowhere behind them.
   What a comparison raises, it raises again where it matters. *)
let searches cmp finger ops lo hi =
  if hi - lo > 1 then
    try
      let level = climb cmp (Op.key ops.(hi - 1)) finger in
      descend cmp (fun i -> Op.key ops.(lo + i)) (hi - lo) finger.(level)
    with _ -> ()
