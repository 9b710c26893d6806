(** How a worker runs what it has claimed: for its loop, and on top of a task that waits. *)

val run : Worker.t -> Job.t -> unit
(** [run w job] runs [job], which [w] has claimed and has in its hand. Raises what a callback does
    that interrupts the scheduler. *)

val give_back : Worker.t -> unit
(** [give_back w]: what [w] has claimed and has not begun is for another to run. May be called
    again. *)

(** {1 On top of another} *)

val try_to_run : Worker.t -> Job.t -> bool
(** [try_to_run w job] runs [job], a task of the same team, on top of the calling task, which [w]
    runs, is out of reach, and has nothing else to do before [job] has ended. [false] if somebody
    has begun it, or the caller had better suspend. May suspend, together with [job]. *)

val is_out_of_reach : Worker.t -> bool
(** [is_out_of_reach w] is whether nobody can cancel what [w] runs, not even when it waits: then it
    has nothing that a thief could take and that could fail. *)
