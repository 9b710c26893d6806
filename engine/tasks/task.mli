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

val is_told_apart : unit -> bool
(** [is_told_apart ()] is whether it does: fibers of a host have the number of their thread. *)

val let_go : ('a, Failure.t) result -> ('a, Failure.t) result
(** [let_go outcome] is the outcome of the calling task, which should hold nothing any more. *)

(** {1 To wait}

    See {!Waiter} for who does what. A callback that has interrupted a task cannot suspend. *)

val wait : Waiter.t -> unit
(** [wait s] waits until [s] is woken: suspends the calling task, or blocks the calling thread.
    Raises [Invalid_argument] where neither may be. *)

val wait_for : Hold.t -> Waiter.t -> unit
(** [wait_for hold] is {!wait}, for a caller that wants [hold]. *)

val wait_in_any_case : Waiter.t -> unit
(** [wait_in_any_case s] is the same for a wait that must come to its end: a callback blocks its
    worker's thread. *)

val wait_unseen : Waiter.t -> unit
(** [wait_unseen s] is [wait s] that no report lists. *)

val block : Host.caller -> Waiter.t -> unit
(** [block caller s], outside any task, waits until [s] is woken: suspends the calling fiber of a
    host, or blocks the thread. *)

val can_wait : unit -> bool
(** [can_wait ()] is whether the calling task can, unlike a callback that has interrupted it. *)

val refuse_to_wait : unit -> 'a
(** [refuse_to_wait ()] raises [Invalid_argument], for a callback that would have to. *)

val check_may_block : unit -> unit
(** [check_may_block ()] is [refuse_to_wait ()] in a callback that has interrupted a worker between
    two tasks: others might wait for that worker. *)

val wake_all : Waiter.t array -> unit
(** [wake_all waiters] wakes them all, as [Waiter.wake] does. Any thread. May be called again. *)

val stand_back : unit -> unit
(** [stand_back ()] yields, if the calling worker should stand by: see [Crowding]. *)

val yield : Worker.t -> unit
(** [yield w] lets other work of [w] go first, which runs the calling task. In a callback it does
    nothing. *)

val give_way : Worker.t -> unit
(** [give_way w] is the same, also for what others have put behind it. *)

(** {1 To run its code} *)

val catch : (unit -> 'a) -> ('a, Failure.t) result
(** [catch f] is the outcome of [f], code of a task's own, which enters its context itself. *)

val in_fiber : ('a -> 'b) -> 'a -> unit
(** [in_fiber f x] is [f x] in a fiber of its own, on the worker's own stack: returns when that has
    ended or is suspended. *)

(** {1 For handlers}

    See {!Ahead} and {!Extent}. *)

type suspension
(** The type for what a handler needs to suspend a task. *)

val takes_chain : suspension -> bool
(** [takes_chain s] is whether the chain is suspended that the task lies on (see {!Ahead}). *)

type _ Effect.t +=
  | Suspend : suspension -> unit Effect.t
  | Go_on : unit Effect.t  (** does nothing *)

val is_own : 'a Effect.t -> bool
(** [is_own eff] is whether [eff] is one of these. *)

val suspend : suspension -> (unit, unit) Effect.Deep.continuation -> unit
(** [suspend s k], in a handler on the worker's own stack, suspends the task [k]. No safepoint, not
    even at the start. *)

val refuse : 'a Effect.t -> ('a, 'b) Effect.Deep.continuation -> 'b
(** [refuse eff k] raises [Effect.Unhandled] in [k]. *)

val wait_with_chain : Worker.t -> Waiter.t -> unit
(** [wait_with_chain w s] is {!wait_unseen}, with the chain that the task lies on, which [w] runs.
*)
