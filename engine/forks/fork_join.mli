(** Fork-join: [both] and [all], as [Drover] has them, and the joins of parts of loops. *)

val both : (unit -> 'a) -> (unit -> 'b) -> 'a * 'b
(** [both f g] is the results of [f] and [g], which may run at the same time: [f] in the caller, [g]
    by whoever steals it, or in the caller afterwards. Any thread; one outside the pools waits for a
    task of the default pool. Suspends while [g] runs elsewhere. Raises what either does: when both
    have, the first with the other as a suppressed failure, and a failure rather than a
    cancellation. A callback between two tasks runs both in turn. *)

val all : (unit -> 'a) list -> 'a list
(** [all fs] is the results of all [fs], by [both]; the first to fail makes what has not begun be
    skipped (see {!Error_group}). *)

(** {1 For a fork that somebody else has claimed}

    Its one joiner calls one of these, once. Both wait until the fork has ended, in any case:
    suspended, or blocked in a callback that has interrupted a task. What raises there cancels the
    fork, waits for its end, and comes out then. *)

val await_stolen : 'a Job.job -> ('a, Failure.t) result
(** [await_stolen job] is the outcome of [job]. If the caller is cancelled meanwhile, so is [job].
*)

val give_up : 'a Job.job -> exn -> ('a, Failure.t) result
(** [give_up job reason] cancels [job], which nobody wants any more, and is its outcome. *)
