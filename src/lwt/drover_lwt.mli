(** Lwt programs on all cores.

    An Lwt program runs its callbacks on one thread. This library runs its computations as Drover
    tasks on other domains, and returns their results to Lwt's main loop as promises. You need not
    set up a pool.

    {e The loop} is [Lwt_main.run] and the thread that runs it. Lwt has one loop for each process,
    and its promises belong to the loop's thread: a task must not use Lwt, except through
    {!run_in_main} and {!await}.

    The loop's domain never runs tasks: the pool spawns a domain for the place that it would give to
    its caller (see {!Drover.Pool.staff}). *)

(** {1 From the loop} *)

val detach : ?pool:Drover.Pool.t -> (unit -> 'a) -> 'a Lwt.t
(** [detach f] is a promise for [f ()], which runs as a task of [pool] (default:
    {!Drover.Pool.default}). The promise is resolved on the loop; when [f] raises, it is rejected
    with the same exception, and the handlers of [Lwt.catch] and the like find the exception's
    backtrace in [Printexc.get_raw_backtrace].

    [Lwt.cancel] on the promise cancels the task. If [f] has not started, it never runs. If it has,
    [Drover.Cancelled] is raised in it at the next place where it forks, waits or calls
    [Drover.Scope.check], or at any safepoint inside [Drover.Scope.interruptible]. When [f] raises
    [Drover.Cancelled], the promise is rejected with [Lwt.Canceled].

    At most {!max_in_flight} tasks are in flight. Further ones wait their turn, in order, while
    their promises are pending. Never blocks the loop. Call it from the loop's thread, or before the
    loop runs: raises [Invalid_argument] if another thread runs the loop. The promise is rejected
    with [Invalid_argument] if [pool] is closed, and with [Failure] if it has no domain of its own
    and OCaml has no room for another. *)

val start : ?pool:Drover.Pool.t -> (unit -> unit) -> unit Lwt.t
(** [start f] runs [f ()] as {!detach} does, for callers that do not wait for its end: the promise
    is fulfilled when the task is in flight. A caller that waits for it before starting the next
    task never has more than {!max_in_flight} tasks. What [f] raises goes to
    [Lwt.async_exception_hook]. *)

(** {1 From tasks and threads} *)

val run_in_main : (unit -> 'a Lwt.t) -> 'a
(** [run_in_main f] lets the loop call [f ()], and is the value of the promise that [f] returns, or
    raises the exception that it is rejected with. A task suspends, and its worker runs other tasks,
    so any number of tasks may be in [run_in_main] at once; a thread that is no task blocks.

    When the caller is cancelled, so is the promise. Raises [Invalid_argument] on the loop's own
    thread, which would wait for itself. Raises [Failure] if the loop has not run for some seconds,
    because an exception has left [Lwt_main.run] or the program is exiting. *)

val await : 'a Lwt.t -> 'a
(** [await p] is [run_in_main (fun () -> p)]: the value of an Lwt promise. *)

(** {1 Limits} *)

val max_in_flight : unit -> int
(** [max_in_flight ()] is the largest number of tasks of {!detach} and {!start} that may be in
    flight. A task is in flight from its start in the pool until the loop has its outcome. It is
    1000 unless {!set_max_in_flight} has changed it. Tasks that the function of a {!run_in_main}
    detaches do not stand in line, while its caller waits: they may exceed the number. Never waits.
*)

val set_max_in_flight : int -> unit
(** [set_max_in_flight n] sets {!max_in_flight}. Only from the loop's thread; never waits. Raises
    [Invalid_argument] if [n < 1]. *)

val in_flight : unit -> int
(** [in_flight ()] is the number of tasks in flight. Only from the loop's thread; never waits. *)

(** {1 Streams} *)

module Stream : sig
  (** Streams whose elements are computed by tasks. *)

  val map :
    ?pool:Drover.Pool.t -> look_ahead:int -> ('a -> 'b) -> 'a Lwt_stream.t -> 'b Lwt_stream.t
  (** [map ~look_ahead f s] is [Lwt_stream.map f s] with each call of [f] {!detach}ed. From the
      first request of an element on, up to [look_ahead] elements are being computed or wait to be
      taken. If [f] raises for an element, taking that element raises, and the stream goes on after
      it. If [s] raises, its exception comes after the elements before it, and ends the stream.
      Raises [Invalid_argument] if [look_ahead < 1]. *)

  val map_unordered :
    ?pool:Drover.Pool.t -> look_ahead:int -> ('a -> 'b) -> 'a Lwt_stream.t -> 'b Lwt_stream.t
  (** [map_unordered ~look_ahead f s] has the elements of {!map}, in the order in which they become
      ready. *)
end

(** {1 Moving from [Lwt_preemptive]} *)

(** The interface of [Lwt_preemptive], with computations on domains. To move a program, write
    [module Lwt_preemptive = Drover_lwt.Preemptive].

    A thread is here a computation in flight. Of those that [set_bounds] admits, as many run at once
    as the default pool has domains. So code that detaches system calls that block for long should
    stay with [Lwt_preemptive]. The lower bound and the message function have no effect. The rest is
    documented in [Lwt_preemptive]. *)
module Preemptive : sig
  val detach : ('a -> 'b) -> 'a -> 'b Lwt.t
  val run_in_main : (unit -> 'a Lwt.t) -> 'a
  val run_in_main_dont_wait : (unit -> unit Lwt.t) -> (exn -> unit) -> unit
  val init : int -> int -> (string -> unit) -> unit
  val simple_init : unit -> unit
  val get_bounds : unit -> int * int
  val set_bounds : int * int -> unit
  val set_max_number_of_threads_queued : int -> unit
  val get_max_number_of_threads_queued : unit -> int

  (**/**)

  val nbthreads : unit -> int
  val nbthreadsbusy : unit -> int
  val nbthreadsqueued : unit -> int
end
