(** How loops wake workers that sleep, when their first iteration has shown that they are not short.

    For [steps] of a run (see [Run.call]). Nothing waits. *)

val before_first : 'a Run.t -> float
(** [before_first run], when the first iteration begins, is what {!after_first} is to be given. *)

val after_first : 'a Run.t -> float -> unit
(** [after_first run since], when it has ended, sees to it that a loop that is not short wakes a
    sleeper. Others take no part of it themselves any more, until they had to wait. *)
