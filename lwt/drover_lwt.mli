(** Lwt programs on all cores.

    An Lwt program runs its callbacks on one thread. This library runs its computations as Drover
    tasks on other domains, and brings their results back to Lwt's main loop as promises. No pool
    has to be set up.

    The words {e the loop} mean [Lwt_main.run] and the thread that is in it. Lwt has one loop for
    each process, and its promises belong to the loop's thread: a task must not use Lwt, except by
    way of {!run_in_main} and {!await}.

    The loop's domain never computes for the tasks: the pool in which they run gets a domain of its
    own for the place that it has for a caller (see {!Drover.Pool.staff}). *)

(** {1 From the loop} *)

val detach : ?pool:Drover.Pool.t -> (unit -> 'a) -> 'a Lwt.t
(** [detach f] is a promise for [f ()], which runs as a task of [pool] (default:
    {!Drover.Pool.default}). The promise is resolved on the loop; when [f] raises, it is rejected
    with the same exception, and the handlers of [Lwt.catch] and the like find the exception's
    backtrace in [Printexc.get_raw_backtrace].

    [Lwt.cancel] of the promise cancels the task: [f] never runs if it has not started; if it has,
    [Drover.Cancelled] is raised in it at the next place where it forks, waits or looks, or anywhere
    where it is [Drover.Scope.interruptible]. When [f] raises [Drover.Cancelled], the promise is
    rejected with [Lwt.Canceled].

    At most {!max_in_flight} tasks are in flight. Those above wait for their turn, in order, while
    their promise is pending. Never blocks the loop. To be called from the loop's thread, or before
    the loop runs: raises [Invalid_argument] if another thread runs the loop. The promise is
    rejected with [Invalid_argument] if [pool] is closed, and with [Failure] if it has no domain of
    its own and OCaml has no room for another. *)

val start : ?pool:Drover.Pool.t -> (unit -> unit) -> unit Lwt.t
(** [start f] runs [f ()] as {!detach} does, for callers that do not wait for its end: the promise
    is fulfilled when the task is in flight. Who waits for it before he starts the next never has
    more than {!max_in_flight} tasks around. What [f] raises goes to [Lwt.async_exception_hook]. *)

(** {1 From tasks and threads} *)

val run_in_main : (unit -> 'a Lwt.t) -> 'a
(** [run_in_main f] has the loop call [f ()], and is the value of its promise, or raises what that
    is rejected with. A task suspends, and its worker goes on with other tasks, so any number of
    tasks may be in [run_in_main] at a time; a thread that is no task blocks.

    When the caller is interrupted, the promise of [f ()] is cancelled. Raises [Invalid_argument] on
    the loop's thread itself, which would wait for itself, and [Failure] if the loop was not running
    for some seconds, be it that an exception has left [Lwt_main.run], or the program exits
    meanwhile. *)

val await : 'a Lwt.t -> 'a
(** [await p] is [run_in_main (fun () -> p)]: the value of a promise of the loop. *)

(** {1 How many at a time} *)

val max_in_flight : unit -> int
(** [max_in_flight ()] is how many tasks of {!detach} and {!start} are in flight at most: from their
    start in the pool until the loop has their outcome. 1000 unless {!set_max_in_flight} changed it.
*)

val set_max_in_flight : int -> unit
(** [set_max_in_flight n] sets {!max_in_flight}. Loop's thread only. Raises [Invalid_argument] if
    [n < 1]. *)

val in_flight : unit -> int
(** [in_flight ()] is how many tasks are in flight. Loop's thread only. *)

(** {1 Streams} *)

module Stream : sig
  (** Streams whose elements are computed by tasks. *)

  val map :
    ?pool:Drover.Pool.t -> look_ahead:int -> ('a -> 'b) -> 'a Lwt_stream.t -> 'b Lwt_stream.t
  (** [map ~look_ahead f s] is [Lwt_stream.map f s] with each call of [f] {!detach}ed. When the
      first element is asked for, and from then on, up to [look_ahead] elements are computed or wait
      to be taken. An element for which [f] raises raises when it is taken, and the stream goes on
      after it. What [s] raises comes after the elements before it, and ends the stream. Raises
      [Invalid_argument] if [look_ahead < 1]. *)

  val map_unordered :
    ?pool:Drover.Pool.t -> look_ahead:int -> ('a -> 'b) -> 'a Lwt_stream.t -> 'b Lwt_stream.t
  (** [map_unordered ~look_ahead f s] has the elements of {!map} in the order in which they are
      ready. *)
end

(** {1 Moving from [Lwt_preemptive]} *)

(** [Lwt_preemptive]'s interface, with computations on domains: a program moves with
    [module Lwt_preemptive = Drover_lwt.Preemptive].

    A thread is a computation in flight: of those that [set_bounds] admits, as many run at a time as
    the default pool has domains. So code that detaches system calls which block for long should
    stay with [Lwt_preemptive]. The lower bound and the function for messages have no effect. The
    rest is documented in [Lwt_preemptive]. *)
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
