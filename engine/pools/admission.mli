(** How tasks are started: a task counts from its start to its end, which runs on a worker, so that
    its pool can drain. It is counted and put where it is found, or neither. *)

val job : (unit -> unit) -> Job.t
(** [job body] is for the functions below. [body] must not raise but what callbacks do; it begins
    with {!enter}, and counts the end. *)

val start : Worker.team -> urgent:bool -> Job.t -> bool
(** [start team ~urgent job] starts [job] as a task of [team]; [false] if that is closed to the
    caller. Any thread. Never waits. *)

val start_inside : Worker.t -> urgent:bool -> Job.t -> unit
(** [start_inside w ~urgent job] is the same for a task of the calling task, which [w] runs. *)

val start_outside : Worker.team -> (Job.t -> unit) -> Job.t -> bool
(** [start_outside team put job] is the same for a caller outside [team], where [put] adds the job,
    or raises and has not. *)

val start_by : (Job.t -> unit) -> Worker.team -> Job.t -> bool
(** [start_by put team job] is [start], where [put] puts it. *)

val admit : Worker.team -> bool
(** [admit team] counts a task from outside; [false] if [team] is closed. One step. *)

val enter : Worker.t -> Context.t -> unit
(** [enter w context], the first thing that the body of a task in [context] does: from here on it is
    its own affair to come to its end. [w] runs it. May be called again when it was interrupted. *)

val count_end : Context.t -> unit
(** [count_end context] is the last thing. *)
