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

    See {!Wait}, which is what waits are made of. *)

val suspend : Waiter.t -> bool
(** [suspend t], in a task, suspends that until [t] is woken, with all that it has begun published;
    [false] if it cannot, in a callback that has interrupted it. *)

val block : Host.caller -> Waiter.t -> unit
(** [block caller t], outside any task, waits until [t] is woken: suspends the calling fiber of a
    host, or blocks the thread. *)

val block_in_any_case : Waiter.t -> unit
(** [block_in_any_case t] is the same, in a fiber also if its host cancels it: then it blocks the
    thread. *)

val can_wait : unit -> bool
(** [can_wait ()] is whether the calling task can, unlike a callback that has interrupted it. *)

val check_may_block : unit -> unit
(** [check_may_block ()] raises [Invalid_argument] in a callback that has interrupted a worker
    between two tasks: others might wait for that worker. *)

val give_way : Worker.t -> unit
(** [give_way w] lets all go first that its pool has to do now; [w] runs the calling task. In a
    callback it does nothing. *)

val stand_back : unit -> unit
(** [stand_back ()] gives way, if the calling worker should stand by: see [Crowding]. *)

(** {1 To run its code} *)

val catch : (unit -> 'a) -> ('a, Failure.t) result
(** [catch f] is the outcome of [f], code of a task's own, which enters its context itself. *)

val in_fiber : ('a -> 'b) -> 'a -> unit
(** [in_fiber f x] is [f x] in a fiber of its own, on the worker's own stack: returns when that has
    ended or is suspended. *)

(** {1 For handlers}

    See {!Extent}. *)

type _ Effect.t += Suspend : Waiter.t -> unit Effect.t | Go_on : unit Effect.t  (** does nothing *)

val is_own : 'a Effect.t -> bool
(** [is_own eff] is whether [eff] is one of these. *)
