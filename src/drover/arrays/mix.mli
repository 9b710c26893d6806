(** Words whose bits are mixed, for hashing and for seeds. *)

val word : int -> int
(** [word x] is a word in which each bit depends on all bits of [x]; no two [x] have the same. *)

val below : int -> int -> int
(** [below n word] is a number from 0 to [n - 1], [n > 0], made from the bits of [word]. *)
