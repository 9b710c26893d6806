(** What a bridge to another scheduler needs besides {!Drover}.

    This library is for those who write a bridge, such as [drover-eio] and [drover-lwt]: code that
    starts tasks from an event loop, and brings their results back to it. It is unstable: its
    interface may change in any version. *)

val canceller : unit -> exn -> unit
(** [canceller ()] is a function that cancels the caller of [canceller] (its innermost task, scope
    or stolen fork) with a reason, as long as that has not ended. It is for code that starts work
    and cannot wait in a scope, such as an event loop. The function may be called from any thread,
    and never waits. Raises [Invalid_argument] outside a task. *)

val adapt_minor_heap : unit -> unit
(** [adapt_minor_heap ()] lets the minor heap of the calling domain grow from now on while minor
    collections are frequent, as the heaps of a pool's domains do. It is for a domain that feeds a
    pool and allocates much itself, such as that of an event loop: its collections stop the pool
    too. Call it once. Never waits. *)

val staff_for : string -> Drover.Pool.t -> unit
(** [staff_for caller p] is {!Drover.Pool.staff}[ p], whose exceptions name the function [caller] of
    the bridge. *)

val select :
  Unix.file_descr list ->
  Unix.file_descr list ->
  float ->
  Unix.file_descr list * Unix.file_descr list
(** [select read write seconds] is those of [read] and of [write] that are ready within [seconds],
    or closed. Blocks the calling thread, for ever if that is [infinity]. It is for an event loop
    that may have descriptors above 1023, which [Unix.select] cannot wait for. A signal ends it;
    raises what a signal's handler does. *)

val reporter : unit -> (string -> unit) -> unit
(** [reporter ()] is a function for a watchdog that finds that the program hangs. It calls what it
    is given on texts: what the workers of each pool do that was opened after [reporter ()], with
    [DROVER_DEBUG=1] what waits for what, and where the tasks are that run. Any thread may call it,
    also in the handler of a signal. It blocks for a second at most, unless the domains cannot make
    a minor collection; before that it gives the texts that need none. Call [reporter] once. *)
