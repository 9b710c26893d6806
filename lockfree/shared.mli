(** Immutable values that domains share, and change by compare-and-set.

    Any domain; nothing waits. A change is one step, which no safepoint follows here; what it is
    made of may be called more than once before. *)

val update : 'a Atomic.t -> ('a -> 'a) -> 'a
(** [update cell step] makes [cell] what [step] makes of it, and is what it was before. *)

val change : 'a Atomic.t -> ('a -> 'a) -> unit
(** [change cell step] is [update cell step], without a result. *)

val push : 'a list Atomic.t -> 'a -> unit
(** [push cell x] puts [x] in front of the items of [cell]. *)

val pause : int -> unit
(** [pause n], for a caller that was overtaken, relaxes the processor [n] times, each for about as
    long as a cache line travels. *)
