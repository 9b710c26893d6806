(** The threads that are workers of a pool: those of domains of its own, which stay until it is
    closed, and callers. *)

val ensure_worker : Worker.team -> bool
(** [ensure_worker team] is to be called after a task was added from outside, or before: sees to it
    that some thread runs it; [false] if none can, for lack of another domain. Waits for no task. *)

val see_to : Worker.team -> unit
(** [see_to team] is {!ensure_worker}, without a result. May be called again. *)

val open_with : Worker.team -> int -> int
(** [open_with team wanted] makes domains for the first so many workers, the caller's apart, and is
    how many workers there are then: fewer where there is no room. *)

val staff : Worker.team -> bool
(** [staff team] makes a domain for the caller's worker too, unless there is no room for another;
    [false] if callers are the only workers. *)

(** {1 Callers}

    Threads outside a pool that need something of it. While one waits, it may be a worker of the
    pool, to which it lends its domain. *)

val reserve_stack : int -> unit
(** [reserve_stack n] is [Section.reserve_stack_for] the scheduler and [n] calls around it: for what
    waits in any case. *)

val wait : string -> Worker.team -> 'a Ivar.t -> unit
(** [wait aim team cell] waits, outside any task, until [cell] is full, which tasks of [team] see
    to; [aim] as for {!Wait}. Raises what a signal's handler does, and [Invalid_argument] in one
    that has interrupted a worker. *)

val running : string
(** [running] is the [aim] of those that wait for the end of a run. *)

val run : Worker.team -> Job.t -> 'a Ivar.t -> cancel:(exn -> unit) -> bool
(** [run team job cell ~cancel] runs [job], outside any task, and waits until [cell] is full, which
    it fills; [false] if [team] is closed. When a signal's handler raises in the scheduler's code,
    the work is cancelled, and waited for; unless another handler raises meanwhile. *)
