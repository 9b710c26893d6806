(** Tokens: what the cancellation of a piece of work goes through.

    A piece of work is what can be interrupted as one: the code of a task, of a stolen fork, or the
    part of it that is in a scope, or is protected. Their tokens form a tree, which follows the
    nesting of scopes, forks and loops: to cancel a token cancels all that is below it. The token of
    a scope's body also {e lies in} that of the code that runs the scope: what interrupts that
    interrupts it, too, but not the other way round.

    A token that is cancelled has a {e cause} to stop; and so has one of whose forks one has failed,
    until its join. While it has causes, {!Cancelled} is raised in its code wherever that looks
    ({!poll}): where it forks, suspends, or checks. Its {e attention} makes it look: that of its
    worker, and that of its wait while it waits.

    Any thread of any domain, unless it says otherwise; nothing here waits. *)

exception Cancelled of exn

(** The kinds of tokens. Nobody but its own code knows an [Unknown] one. *)
type kind = Unknown | Known | Fork

type state
type holding

type t = private {
  mutable causes : int; [@atomic]
  mutable reason : exn;
  mutable attention : unit -> unit; [@atomic]
  mutable wait : unit -> unit;
  mutable outer : t;
  mutable is_alarmed : bool;
  mutable holding : holding;
  mutable looked_up : int;
  parent : t;  (** that it is below, or {!none} *)
  mutable kind : kind;
  mutable state : state; [@atomic]
  mutable children : t Shared.Register.t; [@atomic]
}
(** The type for tokens. *)

val none : t
(** [none] stands for the absence of a token. *)

(** {1 To make one}

    It begins with {!start}, and ends with {!finish}, both by the code that works in it. *)

val create : (unit -> unit) -> kind -> t -> t
(** [create attention kind parent] is a fresh one. *)

val root : (unit -> unit) -> t
(** [root attention] is Unknown, and has no parent. *)

val task : t -> t
(** [task parent] is [create ignore Known parent]: that of a task, or of a scope's body. *)

val start : t -> bool
(** [start t]: the work of [t] begins; [false] if it is cancelled. *)

val finish : t -> unit
(** [finish t]: it has ended. If it was cancelled, that is no cause any more. *)

val make_known : t -> unit
(** [make_known t], for the code that works in [t], before others get it to cancel. *)

val is_unknown : t -> bool
(** [is_unknown t] is whether nobody can cancel [t]. *)

val is_alone : t -> bool
(** [is_alone t] is whether nobody can cancel or interrupt what runs in [t]: nothing is part of it
    that could fail. For the code that works in it. *)

(** {1 To cancel it} *)

val cancel : t -> exn -> unit
(** [cancel t reason] cancels [t], unless it is over or was cancelled. *)

val is_cancelled : t -> bool
(** [is_cancelled t] is whether it was cancelled, or what it is below was, and is not over. *)

val on_cancellation : (unit -> unit) -> unit
(** [on_cancellation f] has [f] called by each cancellation: it calls the attention of all workers.
    For {!Worker}, which calls it once. *)

val be_listed : t -> unit
(** [be_listed t] has [t] found by who cancels what it is below, although no worker runs it: from
    when it waits. The caller looks at [is_interrupted] next. *)

(** {1 Causes} *)

val count_cause : t -> exn -> unit
(** [count_cause t reason] is one cause more for [t] to stop. One step; {!call_attention} is to
    follow. *)

val call_attention : t -> unit
(** [call_attention t] tells the code of [t]. *)

val fail : t -> exn -> unit
(** [fail t reason] is both: a fork of [t] has failed. *)

val forgive : t -> unit
(** [forgive t]: a cause is gone. One step. *)

val is_interrupted : t -> bool
(** [is_interrupted t] is whether [t], or one that it lies in, has causes. *)

val is_alerted : t -> bool
(** [is_alerted t] is whether the code of [t] is to look: it is interrupted, or something was
    cancelled since it looked last. No safepoint. *)

val is_alerted_now : t -> bool
(** [is_alerted_now t] is the same, after all that the caller wrote before is seen. *)

val fence : t -> unit
(** [fence t] is the step on [t] that sees to that. *)

val reason : t -> exn
(** [reason t] is why, where that is so. *)

val source : t -> t
(** [source t] is where that comes from: of the tokens of its task, the outermost with a cause. *)

val poll : t -> unit
(** [poll t] raises {!Cancelled} if that is so. *)

(** {2 Attention}

    For the code of the token itself. *)

val attend : t -> (unit -> unit) -> unit
(** [attend t attention] has [attention] called from now on, once for each cause or more; the caller
    looks at [is_interrupted] next. *)

val waits : t -> bool
(** [waits t] is whether it is in a wait. *)

val begin_wait : t -> (unit -> unit) -> unit
(** [begin_wait t attention] has [attention] called, too. The caller takes some atomic
    read-modify-write step, and looks at [is_interrupted] next. No safepoint. *)

val end_wait : t -> unit
(** [end_wait t] is the end of that. Its attention may still be called. No safepoint. *)

val surround : outer:t -> t -> unit
(** [surround ~outer t]: [t] lies in [outer] from now on, until that gets another attention; the
    caller looks at [is_interrupted] next. *)

(** {1 Holds}

    For the code of the token itself. What it holds is known to the outermost token that it lies in.
*)

val number : t -> int
(** [number t] is the number of [t] as a holder. *)

val may_hold : t -> Hold.t -> int
(** [may_hold t h]: the code of [t] will perhaps hold [h]; it does once it has written the number
    that this is into [h.holder]. So to take [h] and to hold it is one step. *)

val hand_on : t -> t -> unit
(** [hand_on part whole]: what [part], which was a part of the work of [whole] and has ended, still
    holds is held by [whole]. *)

val held : t -> int * string list
(** [held t] is the number of [t] as a holder, and the names of what it holds. *)

val still_held : t -> Hold.t list
(** [still_held t] is what the code of [t], which is outermost, holds. *)

val holds_any : t -> bool
(** [holds_any t] is whether that may be something. *)

val forget_held : t -> unit
(** [forget_held t]: that was given back. *)
