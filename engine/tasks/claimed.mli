(** How a worker runs what it has claimed: for its loop, and on top of a task that waits. *)

val run : Worker.t -> Job.t -> unit
(** [run w job] runs [job], which [w] has claimed and has in its hand. Raises what a callback does
    that interrupts the scheduler. *)

val give_back : Worker.t -> unit
(** [give_back w]: what [w] has claimed and has not begun is for another to run. May be called
    again. *)

(** {1 On top of another} *)

val try_to_run : Worker.t -> Job.t -> is_waited_for:bool -> bool
(** [try_to_run w job ~is_waited_for] runs [job], a task of the same team, on top of the calling
    task, which [w] runs and which has nothing else to do before [job] has ended. [false] if
    somebody has begun it, or the caller had better suspend; as where the caller can be cancelled,
    unless [job] [is_waited_for], in any case, by a scope that the caller is in. May suspend,
    perhaps before [job] has ended. *)
