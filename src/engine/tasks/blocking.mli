(** Calls that block, on threads beside the pools: on a domain of their own, lest those of a
    worker's take turns with it. *)

val blocking : (unit -> 'a) -> 'a
(** [blocking f] is [f ()], called on such a thread; or by the caller, if that is in no task.
    Suspends until it has ended, in any case; if the task is cancelled before, it is not begun.
    Raises what [f] does. *)

val is_busy : unit -> bool
(** [is_busy ()] is whether such a call runs. Any thread. Never waits. *)
