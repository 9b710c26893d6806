(** How tasks are started: a task counts from its start to its end, which runs on a worker, so that
    its pool can drain. It is counted and put where it is found, or neither. *)

val job : (unit -> unit) -> Job.t
(** [job body] is for the functions below. [body] must not raise but what callbacks do; it begins
    with {!begin_task}, and counts the end. *)

val start : ?inbox:Job.t Inbox.t -> Worker.team -> urgent:bool -> Job.t -> bool
(** [start team ~urgent job] starts [job] as a task of [team], in [inbox] if that is given; [false]
    if [team] is closed to the caller. Any thread. Never waits. *)

val start_inside : Worker.t -> urgent:bool -> Job.t -> unit
(** [start_inside w ~urgent job] is the same for a task of the calling task, which [w] runs. *)

val put : ?inbox:Job.t Inbox.t -> Worker.team -> urgent:bool -> Job.t -> Team.added
(** [put team ~urgent job] is the first half of {!start}: [job] counts, and is there; or neither,
    where this raises what a signal's handler does, or is [Nowhere]. {!Team.announce} is to follow.
    No safepoint lies between the addition and the end of the call. *)

val put_outside : Worker.team -> Job.t Inbox.t -> Job.t -> Team.added
(** [put_outside team inbox job] is the same for a caller outside [team]. *)

val admit : Worker.team -> bool
(** [admit team] counts a task from outside; [false] if [team] is closed. One step. *)

val begin_task : Worker.t -> Context.t -> unit
(** [begin_task w context], the first thing that the body of a task in [context] does: from here on
    it is its own affair to come to its end. [w] runs it. May be called again when it was
    interrupted. *)
