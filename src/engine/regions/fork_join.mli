(** Fork-join: [both] and [all], as [Drover] has them. *)

val both : (unit -> 'a) -> (unit -> 'b) -> 'a * 'b
(** [both f g] is the results of [f] and [g], which may run at the same time: [f] in the caller, [g]
    by a thief, or in the caller afterwards. Any thread; one outside the pools waits for a task of
    the default pool. Suspends while [g] runs elsewhere. Raises what either does: when both have,
    the first with the other as a suppressed failure, and a failure rather than a cancellation. A
    callback between two tasks runs both in turn. *)

val all : (unit -> 'a) list -> 'a list
(** [all fs] is the results of all [fs], by [both]; the first to fail makes what has not begun be
    skipped (see {!Error_group}). *)

val all_settled : (unit -> 'a) list -> ('a, exn * Printexc.raw_backtrace) result list
(** [all_settled fs] is the outcomes of all [fs], none of which is skipped. *)
