(* The nodes that a few searches in a skip list meet, brought into the cache: as in [Tree_warm].
   Probe: skip-list. *)

open Skip_line

let descend cmp finger ops lo hi =
  let level = climb cmp (Op.key ops.(hi - 1)) finger in
  Skip_descent.descend cmp (fun i -> Op.key ops.(lo + i)) (hi - lo) finger.(level)

(* The searches for the sorted operations [lo, hi), eight at most; [finger] is nowhere behind them.
   What a comparison raises, it raises again where it matters. *)
let searches cmp finger ops lo hi =
  if hi - lo > 1 then try descend cmp finger ops lo hi with _ -> ()
