(** Tasks: what runs in a fiber of its own, and can therefore be suspended.

    A stolen fork, an [async], and the root of a run are tasks; a fork that its own worker runs is
    part of the task that forked it. One effect suspends a task, and one handler sees it. Other
    effects stop there too, whatever handlers the caller of a run has: were its continuation
    captured, the worker's loop would go with it. *)

(** {1 The calling task} *)

val context : unit -> Context.t
(** [context ()] is what code inherits that is called here. *)

val started_here : Context.t -> Context.t
(** [started_here context] is [context] of a task or a loop that the caller starts. *)

val poll : unit -> unit
(** [poll ()] raises [Cancelled] if the calling task is cancelled. *)

val number : unit -> int
(** [number ()] tells the calling task, or thread, from all others. *)

val number_of_thread : unit -> int
(** [number_of_thread ()] is that of the calling thread, where it is in no task. *)

val is_told_apart : unit -> bool
(** [is_told_apart ()] is whether it does: fibers of a host have the number of their thread. *)

val catch : (unit -> 'a) -> ('a, Failure.t) result
(** [catch f] is the outcome of [f], code of a task's own, which enters its context itself. *)

(** {1 For the worker's loop} *)

val run : Worker.t -> Job.t -> unit
(** [run w job] runs [job], which [w] has claimed and has in its hand, until it has ended or is
    suspended. Raises what a callback does that interrupts the scheduler. *)

val give_back : Worker.t -> unit
(** [give_back w]: what [w] has claimed and has not begun is for another to run. May be called
    again. *)

(** {1 On top of another} *)

val try_to_run : Worker.t -> Job.t -> is_waited_for:bool -> bool
(** [try_to_run w job ~is_waited_for] runs [job], a task of the same team, on top of the calling
    task, which [w] runs and which has nothing else to do before [job] has ended. [false] if
    somebody has begun it, or the caller had better suspend; as where the caller can be cancelled,
    unless [job] [is_waited_for], in any case, by a scope that the caller is in. May suspend,
    perhaps before [job] has ended. In a section or not: it enters one. *)
