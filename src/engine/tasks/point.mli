(** Points: calls of the library at which the calling task is cancelled, or put off, if it is to be.

    A fork, a loop and a wait are points, also where the wait need not wait. A point costs a load
    and a branch, and a few nanoseconds more while something is to be looked at. Any thread; in one
    that runs no task nothing happens. *)

val pass : unit -> unit
(** [pass ()] is a point. May suspend, as the task is put off. Raises [Token.Cancelled] if the
    calling task is cancelled. *)

val pass_on : Worker.t -> unit
(** [pass_on w] is [pass ()] by the thread that [w] is, after which it may be another worker. *)

val pass_loop : Worker.t -> int -> unit
(** [pass_loop w n] is [pass_on w] before a loop of [n] iterations, or, if [n <= 0], of more than
    [max_int]. *)
