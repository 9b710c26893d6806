(** The threads that are workers of a pool: those of domains of its own, which stay until it is
    closed, and callers. *)

val is_manned : Worker.team -> bool
(** [is_manned team] is whether some thread is one of its workers, or comes to be. *)

val take : Worker.t -> bool
(** [take w] is for a thread that is to be [w] until it calls {!free}; [false] if another is. *)

val free : Worker.t -> unit
(** [free w]: the thread is [w] no more. *)

val ensure_worker : Worker.team -> bool
(** [ensure_worker team] is to be called after a task was added from outside, or before: sees to it
    that some thread runs it; [false] if none can, for lack of another domain. Waits for no task. *)

val see_to_rest : Worker.team -> unit
(** [see_to_rest team] is [ensure_worker team] if tasks are left. *)

val open_with : Worker.team -> int -> int
(** [open_with team wanted] makes domains for the first so many workers, the caller's apart, and is
    how many workers there are then: fewer where there is no room. *)

val staff : Worker.team -> bool
(** [staff team] makes a domain for the caller's worker too, unless there is no room for another;
    [false] if callers are the only workers. *)
