(* A pointer p that is taken for an integer looks like 2n + 1 without the 1. Shifted to the right it is a proper one again,
   as that sets the lowest bit; shifted to the left it is p - 1, as the 1 is subtracted first. No safepoint lies in any of
   these functions, as the collector must not find it before. *)

type block = { mutable nothing : int } [@@warning "-unused-field"]

let none = { nothing = 0 }
let[@inline] is_block v = Obj.is_block (Obj.repr v)
let[@inline] block v : block = Obj.obj (Obj.repr v)
let[@inline] of_block (b : block) = (Obj.obj (Obj.repr b) : int) lsr 1
let[@inline] size (b : block) = Obj.size (Obj.repr b)

let argument b =
  let o = Obj.repr b in
  if Obj.size o = 1 && Obj.is_block (Obj.field o 0) then block (Obj.field o 0) else b

(* The first word of a bigarray is that of its operations, the second one its data. *)
let[@inline] of_data (b : block) = ((Obj.obj (Obj.field (Obj.repr b) 1) : int) lsl 1) + 1
