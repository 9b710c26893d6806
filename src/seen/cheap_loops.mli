(** Tells of each loop with many iterations how many it had and how long it took, by [Events.loop]
    and [Events.loop_time].

    Where an iteration takes a few nanoseconds, the call of a function for each of them takes a good
    part: the conjugate gradient method with a function for each element takes a fifth longer than
    by intervals. *)

val many : int
(** [many] is more than the iterations of a loop over intervals, as [Hooks.loop] is told of them: so
    one with as many calls its function for each of them. *)

val around : combines:bool -> int -> (Hooks.loop -> 'f -> 'f) -> 'f -> ('f -> 'r) -> 'r
(** [around] is [Hooks.around] that does so. *)
