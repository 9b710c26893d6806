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

    See {!Sleeper} for who does what. A callback that has interrupted a task cannot suspend. *)

val wait : Sleeper.t -> unit
(** [wait s] waits until [s] is woken: suspends the calling task, or blocks the calling thread.
    Raises [Invalid_argument] where neither may be. *)

val wait_for : Hold.t -> Sleeper.t -> unit
(** [wait_for hold] is {!wait}, for a caller that wants [hold]. *)

val wait_in_any_case : Sleeper.t -> unit
(** [wait_in_any_case s] is the same for a wait that must come to its end: a callback blocks its
    worker's thread. *)

val sleep : Sleeper.t -> unit
(** [sleep s] is [wait s] that no report lists. *)

val block : Host.caller -> Sleeper.t -> unit
(** [block caller s], outside any task, waits until [s] is woken: suspends the calling fiber of a
    host, or blocks the thread. *)

val can_wait : unit -> bool
(** [can_wait ()] is whether the calling task can, unlike a callback that has interrupted it. *)

val refuse_to_wait : unit -> 'a
(** [refuse_to_wait ()] raises [Invalid_argument], for a callback that would have to. *)

val check_may_block : unit -> unit
(** [check_may_block ()] is [refuse_to_wait ()] in a callback that has interrupted a worker between
    two tasks: others might wait for that worker. *)

val wake_all : Sleeper.t array -> unit
(** [wake_all sleepers] wakes them all, as [Sleeper.wake] does. Any thread. May be called again. *)

val stand_back : unit -> unit
(** [stand_back ()] yields, if the calling worker should stand by: see [Crowding]. *)

val yield : Worker.t -> unit
(** [yield w] lets other work of [w] go first, which runs the calling task. In a callback it does
    nothing. *)

val give_way : Worker.t -> unit
(** [give_way w] is the same, also for what others have put behind it. *)

(** {1 To start one}

    A task counts from its start to its end, which runs on a worker, so that its pool can drain. It
    is counted and put where it is found, or neither. *)

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

val catch : (unit -> 'a) -> ('a, Failure.t) result
(** [catch f] is the outcome of [f], code of a task's own, which enters its context itself. *)

val try_to_begin : Worker.t -> Job.t -> bool
(** [try_to_begin w job] begins [job], a task of the same team, on top of the calling task, which
    [w] runs, is out of reach, and has nothing else to do before [job] has ended. [false] if
    somebody has begun it, or the caller had better suspend. Returns when it has ended, or is
    suspended. *)

val is_out_of_reach : Worker.t -> bool
(** [is_out_of_reach w] is whether nobody can cancel what [w] runs, not even when it waits: then it
    has nothing that a thief could take and that could fail. *)

(** {1 For a worker's loop} *)

val run_claimed : Worker.t -> Job.t -> unit
(** [run_claimed w job] runs [job], which [w] has claimed and has in its hand. Raises what a
    callback does that interrupts the scheduler. *)

val give_back : Worker.t -> unit
(** [give_back w]: what [w] has claimed and has not begun is for another to run. May be called
    again. *)

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

val sleep_with_chain : Worker.t -> Sleeper.t -> unit
(** [sleep_with_chain w s] is {!sleep}, with the chain that the task lies on, which [w] runs. *)
