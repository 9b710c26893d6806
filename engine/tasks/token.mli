(** Tokens: what the cancellation of a piece of work goes through.

    They form a tree, which follows the nesting of scopes, forks and loops. A {e fiber} is what can
    be interrupted as one: the code of a task, or the part of it that is in a scope, or is
    protected. Every token has a fiber. That of a scope's body lies in that of the code that runs
    the scope, its {e outer} one, and whatever interrupts that interrupts it too, but not the other
    way round.

    To cancel a token cancels all that is below it. Each cancelled token is a {e cause} for its
    fiber to stop; and so is a fork that failed, until its join knows of it. While a fiber has
    causes, {!Cancelled} is raised in it wherever it looks ({!poll}): where it forks, suspends, or
    checks. It is made to look by its {e attention}: that of its worker, and of its wait while it
    waits.

    Any thread of any domain, unless it says otherwise; nothing here waits. *)

exception Cancelled of exn

type fiber
(** The type for fibers. *)

type state
type children

type t = private {
  fiber : fiber;
  parent : t option;
  is_fork : bool;  (** its failure is a cause for the fiber of its parent *)
  mutable state : state; [@atomic]
  mutable children : children; [@atomic]
}
(** The type for tokens. *)

(** {1 To make one}

    It begins with {!start}, and ends with {!finish}, both by whoever works in it. *)

val root : (unit -> unit) -> t
(** [root attention] has no parent, and a fiber with this attention. *)

val fork : t -> t
(** [fork parent] is that of a fork, with a fiber. *)

val task : t -> t
(** [task parent] is that of a task, with a fiber. *)

val body : t -> t
(** [body parent] is that of a scope's body, with a fiber that lies in none yet: see {!surround}. *)

val begin_task : (unit -> unit) -> t -> t
(** [begin_task attention parent] is that of a task that has begun at once. *)

val start : t -> bool
(** [start t]: the work of [t] begins; [false] if it was cancelled before. *)

val finish : t -> unit
(** [finish t]: it has ended. If it was cancelled, that is no cause any more. May be called again.
*)

val make_known : t -> unit
(** [make_known t], for whoever works in [t], before somebody else gets it to cancel. *)

val is_unknown : t -> bool
(** [is_unknown t] is whether nobody can cancel [t], without a parent, that {!make_known} was not
    called for. *)

val is_alone : t -> bool
(** [is_alone t] is whether nobody can cancel or interrupt what runs in [t]: nothing is part of it
    that could fail. For whoever works in it. *)

(** {1 To cancel it} *)

val cancel : t -> exn -> unit
(** [cancel t reason] cancels [t], unless it is over or was cancelled. *)

val is_cancelled : t -> bool
(** [is_cancelled t] is whether it was cancelled and is not over. *)

(** {1 Causes} *)

val count_cause : fiber -> exn -> unit
(** [count_cause f reason] is one cause more for [f] to stop. One step; {!call_attention} is to
    follow. *)

val call_attention : fiber -> unit
(** [call_attention f] tells whoever runs [f]. May be called again. *)

val fail : fiber -> exn -> unit
(** [fail f reason] is both: a fork of [f] has failed. *)

val forgive : fiber -> unit
(** [forgive f]: a cause is gone. One step. *)

val is_interrupted : fiber -> bool
(** [is_interrupted f] is whether [f], or one that it lies in, has causes. *)

val is_interrupted_now : fiber -> bool
(** [is_interrupted_now f] is the same, after all that the caller wrote before is seen. *)

(** {2 To look}

    For the code of the fiber itself. *)

val reason : fiber -> exn
(** [reason f] is why, where that is so. *)

val poll : fiber -> unit
(** [poll f] raises {!Cancelled} if that is so. *)

(** {2 Attention} *)

val attend : fiber -> (unit -> unit) -> unit
(** [attend f attention] has [attention] called from now on, once for each cause or more; whoever
    calls it looks at [is_interrupted] next. *)

val waits : fiber -> bool
(** [waits f] is whether [f] is in a wait. *)

val begin_wait : fiber -> (unit -> unit) -> unit
(** [begin_wait f attention] has [attention] called, too. The caller takes some atomic
    read-modify-write step, and looks at [is_interrupted] next. No safepoint. *)

val end_wait : fiber -> unit
(** [end_wait f] is the end of that. Its attention may still be called. No safepoint. *)

val surround : outer:fiber -> fiber -> unit
(** [surround ~outer f]: the code of [f] runs inside of [outer] from now on, until that gets another
    attention; and looks at [is_interrupted] next. *)

(** {1 Holds}

    For the code of the fiber itself. What it holds is known to its outermost fiber. *)

val number : fiber -> int
(** [number f] is the number of [f] as a holder. *)

val may_hold : fiber -> Hold.t -> int
(** [may_hold f h]: [f] will perhaps hold [h]; it does once it has written the number that this is
    into [h.holder]. So to take [h] and to hold it is one step. *)

val hand_on : fiber -> fiber -> unit
(** [hand_on part whole]: what [part], a fiber that was a part of the work of [whole] and has ended,
    still holds is held by [whole]. *)

val held : fiber -> int * string list
(** [held f] is the number of [f] as a holder, and the names of what it holds. *)

val has_held : fiber -> bool
(** [has_held f] is whether [f] may hold anything. *)

val let_go : fiber -> ('a, Failure.t) result -> ('a, Failure.t) result
(** [let_go f outcome] is the outcome of the code of [f], which has ended and should hold nothing
    any more. May be called again. *)
