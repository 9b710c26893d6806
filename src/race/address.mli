(** Where values lie: the only module that looks beneath types. *)

type block
(** The type for blocks of memory. Two are [==] iff they are the same. *)

val none : block
(** [none] is no block of the program's. *)

val is_block : 'a -> bool
(** [is_block v] is whether [v] is one, and no integer or the like. *)

val block : 'a -> block
(** [block v] is [v], if it {!is_block}. *)

val of_block : block -> int
(** [of_block b] is the address of [b], as it is now: a collection may move it. *)

val size : block -> int
(** [size b] is how many fields [b] has. *)

val argument : block -> block
(** [argument c] is the record that a constructor [c] has: its only field, if it has but one, and
    that is a block; else [c] has the fields itself. *)

val of_data : block -> int
(** [of_data b] is the address of the elements of a bigarray [b], in bytes, which stays. *)
