(** The size of the minor heap in the calling domain. *)

val size : unit -> int
(** [size ()] is its size, in words. *)

val at_least : int -> unit
(** [at_least words] makes it as large. *)

val enough : float
(** [enough] is how many seconds between two collections are enough. *)

val adapt : fast:float -> survival:float -> unit
(** [adapt ~fast ~survival], after a collection that this share of the minor heap survived, when
    they have come fast for so many seconds, makes it larger if that pays. *)
