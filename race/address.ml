(* A pointer seen as an integer must not live to the next safepoint, or the collector would find it: so it is shifted
   in the same instruction, which sets the lowest bit. No safepoint lies in any of these. *)

type block = { mutable nothing : int } [@@warning "-unused-field"]

let none = { nothing = 0 }
let[@inline] is_block v = Obj.is_block (Obj.repr v)
let[@inline] block v : block = Obj.obj (Obj.repr v)
let[@inline] of_block (b : block) = (Obj.obj (Obj.repr b) : int) lsr 1
let[@inline] size (b : block) = Obj.size (Obj.repr b)

(* The first word of a bigarray is that of its operations, the second one its data. *)
let[@inline] of_data (b : block) = ((Obj.obj (Obj.field (Obj.repr b) 1) : int) lsr 1) * 2
