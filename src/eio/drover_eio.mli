(** Eio programs on all cores.

    An Eio program runs its fibers on one domain. This library runs its computations as Drover tasks
    on other domains, while the fibers that wait for the results suspend. You need not set up a
    pool.

    A {e loop} is a call of [Eio_main.run] and the domain that runs it. A program may have several
    loops, one for each domain, and the functions for fibers may be called in any of them. A task is
    not a fiber: it must not use Eio, except through {!in_loop} and {!await_in_loop}.

    The loop's domain never runs tasks: the pool spawns a domain for the place that it would give to
    its caller (see {!Drover.Pool.staff}). *)

(** {1 From fibers}

    These functions perform Eio's effects, and raise [Effect.Unhandled] outside a loop, as Eio's own
    functions do. In a task they are calls of Drover's: {!run}[ f] is [f ()] there, or
    [Drover.Pool.run pool f]. *)

val run : ?pool:Drover.Pool.t -> (unit -> 'a) -> 'a
(** [run f] is [f ()], which runs as a task of [pool] (default: {!Drover.Pool.default}). Suspends
    the fiber until [f] and all calls of {!in_loop} in it have ended. Raises what [f] raises, with
    its backtrace.

    When the fiber is cancelled, so is the task. If [f] has not started, it never runs. If it has,
    [Drover.Cancelled] is raised in it at the next place where it forks, waits or calls
    [Drover.Scope.check], or at any safepoint inside [Drover.Scope.interruptible]. When [f] has
    ended by that, [run] raises [Eio.Cancel.Cancelled]; so nothing of [f] goes on afterwards. If [f]
    returns a value all the same, that is the result, so that nothing that [f] took is lost. If the
    task is cancelled from inside, [run] raises [Drover.Cancelled], like any other failure.

    Raises [Invalid_argument] if [pool] is closed, and [Failure] if it has no domain of its own and
    OCaml has no room for another. *)

val await : ?pool:Drover.Pool.t -> 'a Drover.Promise.t -> 'a
(** [await p] is [Drover.await p] for fibers: suspends the fiber until [p] is settled, and raises
    what [p] failed with, with its backtrace. When the fiber is cancelled, it stops waiting; the
    work that settles [p] goes on. A task of [pool] does the waiting, as in {!run}. *)

val in_flight : unit -> int
(** [in_flight ()] is the number of tasks of {!run} and {!Executor_pool} in the whole program that
    have not ended. From anywhere; never waits. To bound it, bound the number of fibers: with
    [Eio.Semaphore], or [~max_fibers] of [Eio.Fiber.List]. *)

(** {1 From tasks}

    These functions may be called from a task of {!run}, and from everything that it has started:
    the other side of a fork, an iteration of a loop, another task. They suspend the task, and its
    worker runs other tasks, so any number of tasks may wait in them at once. They raise
    [Invalid_argument] if the caller belongs to no fiber, and [Failure] if its fiber has left
    {!run}, as it may have when its loop has ended. *)

val in_loop : (unit -> 'a) -> 'a
(** [in_loop f] is [f ()], called in a new fiber of the loop that the task was started from. That
    fiber has the cancellation context and the variables of the fiber in {!run}, which waits for it.
    Raises what [f] raises, with its backtrace.

    When the task is cancelled, so is the fiber. [in_loop] raises [Drover.Cancelled] when the fiber
    has ended, unless [f] returns a value or raises something else. *)

val await_in_loop : 'a Eio.Promise.t -> 'a
(** [await_in_loop p] is [in_loop (fun () -> Eio.Promise.await p)]: the value of an Eio promise. If
    [p] is resolved already, it may be called from anywhere. *)

(** {1 Channels} *)

(** Channels between fibers and tasks: {!Drover.Chan}, with a fiber at one end. Where a fiber has to
    wait, a task of [pool] does the waiting, as in {!run}. *)
module Chan : sig
  val send : ?pool:Drover.Pool.t -> 'a Drover.Chan.t -> 'a -> unit
  (** [send c v] is [Drover.Chan.send c v] for fibers: suspends the fiber while [c] is full. When it
      raises [Eio.Cancel.Cancelled], nothing was sent. Raises [Drover.Chan.Closed] as that does. *)

  val recv : ?pool:Drover.Pool.t -> 'a Drover.Chan.t -> 'a
  (** [recv c] is [Drover.Chan.recv c] for fibers: suspends the fiber until there is a message. When
      it raises [Eio.Cancel.Cancelled], nothing was received. Raises [Drover.Chan.Closed] as that
      does. *)

  val of_stream : ?pool:Drover.Pool.t -> 'a Eio.Stream.t -> 'a Drover.Chan.t -> 'never
  (** [of_stream s c] sends every element of [s] to [c], for ever. Run it in a fiber of its own,
      such as a daemon. Raises [Drover.Chan.Closed] when [c] is closed, also while [s] is empty:
      what is added later stays in [s]. An element that is waiting to be sent then is dropped. *)

  val to_stream : ?pool:Drover.Pool.t -> 'a Drover.Chan.t -> 'a Eio.Stream.t -> unit
  (** [to_stream c s] adds what it receives from [c] to [s], and returns when [c] is closed and has
      no messages left. *)
end

(** {1 Moving from [Eio.Executor_pool]} *)

(** The interface of [Eio.Executor_pool] on a Drover pool. To move a program, write
    [module Executor_pool = Drover_eio.Executor_pool].

    A job is a Drover task: it may be parallel itself, and then uses idle cores. It cannot use Eio,
    except within {!in_loop}. The rest is documented in [Eio.Executor_pool]. *)
module Executor_pool : sig
  type t
  (** The type for pools. *)

  val create : sw:Eio.Switch.t -> domain_count:int -> _ Eio.Domain_manager.t -> t
  (** [create ~sw ~domain_count dm] is a pool of [domain_count] domains; it does not use [dm]. When
      everything else in [sw] has ended, or [sw] fails, the remaining jobs are cancelled and waited
      for. Raises [Invalid_argument] if [domain_count < 1]. *)

  val submit : t -> weight:float -> (unit -> 'a) -> ('a, exn) result
  (** [submit t ~weight f] runs [f] as a job, and is [Ok (f ())], or [Error e] if [f] raises [e].
      Suspends the fiber until the job has ended. Jobs start in order, as long as the sum of the
      weights of running jobs is less than the number of domains. From any loop of the program.

      When the fiber is cancelled, so is the job, and [submit] raises [Eio.Cancel.Cancelled] at
      once; a job that never checks for cancellation goes on. When the pool's switch ends first, the
      result is [Error (Eio.Cancel.Cancelled _)].

      Raises [Invalid_argument] if [weight] is not from 0 to 1, or if the pool's switch has ended.
  *)

  val submit_exn : t -> weight:float -> (unit -> 'a) -> 'a
  (** [submit_exn t ~weight f] is {!submit}, but raises what the job raises, with its backtrace. *)

  val submit_fork : sw:Eio.Switch.t -> t -> weight:float -> (unit -> 'a) -> 'a Eio.Promise.or_exn
  (** [submit_fork ~sw t ~weight f] is a promise for the result of {!submit_exn}, which a new fiber
      of [sw] calls. *)
end
