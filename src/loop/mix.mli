(** Words whose bits are mixed, for hashing and for seeds. *)

val word : int -> int
(** [word x] is a word in which each bit depends on all bits of [x]; no two [x] have the same. *)
