(** Callers: threads outside a pool that need something of it. While one waits, it may be a worker
    of the pool, to which it lends its domain. *)

val wait : Worker.team -> 'a Ivar.t -> unit
(** [wait team cell] waits, outside any task, until [cell] is full, which tasks of [team] see to.
    Raises what a signal's handler does, and [Invalid_argument] in one that has interrupted a
    worker. *)

val run : Worker.team -> Job.t -> 'a Ivar.t -> cancel:(exn -> unit) -> bool
(** [run team job cell ~cancel] runs [job], outside any task, and waits until [cell] is full, which
    it fills; [false] if [team] is closed. When a signal's handler raises in the scheduler's code,
    the work is cancelled, and waited for; unless another handler raises meanwhile. *)
