(** Critical sections: changes that are not left half done when something raises in the middle.

    OCaml runs signal handlers, finalisers and Memprof callbacks, and switches systhreads, at
    {e safepoints}: where code allocates, comes back to the start of a loop, enters a function that
    calls itself at its end, or waits. Whatever one of them raises goes on from there; and a call
    may raise [Stack_overflow]. So between two steps of a change anything may raise. A change is
    safe in one of three ways:

    - it is {e one step}: a function marked [[@poll error]], for which the compiler checks that it
      has no safepoint and calls nothing. What it stores is allocated before;
    - its second half is {e finished} in any case: it is idempotent (it looks how far it has come),
      and {!finish} calls it;
    - it is {e undone} by a handler around it, which begins before the first step and learns from a
      cell, written in that step, whether there is anything to undo. The undoing is a second half.
*)

val finish : (unit -> unit) -> unit
(** [finish step] calls [step] until it returns, and then raises what the first call raised, if it
    did, with its backtrace. [step] must be idempotent, and able to go on from wherever it was
    interrupted. There is no safepoint outside of [step], so any number of interruptions is
    survived. A step that overflows the stack is repeated on a stack of its own; for that some room
    is needed: see {!reserve_stack}. *)

val finish_with : ('a -> unit) -> 'a -> unit
(** [finish_with step x] is [finish (fun () -> step x)], without a closure to be made. *)

val finish_to_end : (unit -> unit) -> unit
(** [finish_to_end step] is [finish step], but raises nothing: for whoever has nobody to raise it
    to. *)

val raise_after : ('a -> unit) -> 'a -> exn -> 'b
(** [raise_after step x exn], first thing in the handler of [exn], is [finish_with step x], and then
    raises [exn] with its backtrace. *)

val raise_despite : ('a -> unit) -> 'a -> exn -> 'b
(** [raise_despite step x exn] is the same, and raises [exn] also if [step] was interrupted: where
    whoever waits must learn of [exn], or the step may be interrupted by what it undoes. *)

val or_undo : undo:(unit -> unit) -> (unit -> 'a) -> 'a
(** [or_undo ~undo wait] is [wait ()]. If that raises, because it is cancelled, or out of a signal's
    handler, then [undo] takes back all that it has done. [undo] is idempotent, and may be called
    whatever has been done so far. Reserves stack before anything else. *)

val and_then : (unit -> unit) -> (unit -> 'a) -> 'a
(** [and_then leave f] is [f ()], and then [leave ()], also when [f] raises; [leave] is idempotent.
    Reserves stack before anything else. *)

val finally : (unit -> 'a) -> (unit -> unit) -> 'a
(** [finally f after] is [f ()], and then [after ()], once, also if [f] raises. If [after] raises
    that is raised. *)

val give_up : ('a -> 'b -> unit) -> 'a -> 'b -> unit
(** [give_up step x reason] calls [step x reason] until it returns, and raises nothing: for a
    handler that raises [reason] then. *)

val with_room : ('a -> 'b -> unit) -> 'a -> 'b -> unit
(** [with_room step x y] is [step x y]; if that overflows the stack, it is called once more on a
    stack of its own: for a wait that must come to its end, but that other exceptions may interrupt.
*)

val reserve_stack : unit -> unit
(** [reserve_stack ()] raises [Stack_overflow] now, if the stack has not room left for some calls of
    the kind that {!finish} makes (256 words). Costs a few nanoseconds. To be called before the
    first step; and before a fiber is made whose handler of effects calls functions: that runs on
    this stack, and loses the continuation if it raises. A function that reserves may raise although
    its caller has reserved as much: after a first step, {!finish} it. *)

val reserve_handler : unit -> unit
(** [reserve_handler ()] raises [Stack_overflow] now, if the stack has not room for a fiber's
    handler of effects to be called (8 words), even by one that calls nothing: the runtime calls it
    by a function that looks for room, on the stack of whoever made the fiber. That needs a few
    words more than to make the fiber does; were they more, fresh stacks would grow for them. To be
    called before a fiber is made on a stack that may be full. *)
