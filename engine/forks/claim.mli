(** What is to be done once, by whoever begins it first; or not at all, when that is given up
    before. *)

type t
(** The type for claims. *)

val create : unit -> t
(** [create ()] is free. *)

val begin_ : t -> bool
(** [begin_ c] is [true] for one caller only, and if nobody has given [c] up: that one does it. Any
    thread. One step (see [Critical]). *)

val give_up : t -> bool
(** [give_up c] makes every [begin_ c] to come [false]. Is [false], and nothing else, if it has
    begun. Any thread. May be called again. *)
