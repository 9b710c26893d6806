(* Forks that are worth it: what has less than [grain] to do runs in turn. *)

let[@inline] both ~grain size f g =
  if size >= grain then Drover.both f g
  else
    let a = f () in
    (a, g ())

(* An operation is a search: half a microsecond, or a whole one. One task does a few of them, and
   sends their searches ahead (see [Tree_warm]). *)
let few_ops = 16
let[@inline] ops n f g = both ~grain:(few_ops + 1) n f g

(* A node or an element is a few nanoseconds. *)
let[@inline] nodes n f g = both ~grain:128 n f g
