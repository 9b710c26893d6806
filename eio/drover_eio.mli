(** Eio programs on all cores.

    An Eio program runs its fibers on one domain. This library runs its computations as Drover tasks
    on other domains, while the fibers that want the results suspend. No pool has to be set up.

    The word {e loop} means a call of [Eio_main.run] and the domain that is in it. A program may
    have several, one for each domain; the functions below that are for fibers may be called in any
    of them. A task is not a fiber: it must not use Eio, except by way of {!in_loop} and
    {!await_in_loop}.

    The loop's domain never computes for the tasks: the pool in which they run gets a domain of its
    own for the place that it has for a caller (see {!Drover.Pool.staff}). *)

(** {1 From fibers}

    The functions of this part perform Eio's effects, and raise [Effect.Unhandled] outside a loop,
    as Eio's own do. *)

val run : ?pool:Drover.Pool.t -> (unit -> 'a) -> 'a
(** [run f] is [f ()], which runs as a task of [pool] (default: {!Drover.Pool.default}). Suspends
    the fiber until [f] has ended, and so has all that it requested by {!in_loop}. Raises what [f]
    raises, with its backtrace.

    When the fiber is cancelled, the task is: [f] never runs if it has not started; if it has,
    [Drover.Cancelled] is raised in it at the next place where it forks, waits or looks, or anywhere
    where it is [Drover.Scope.interruptible]. [run] raises [Eio.Cancel.Cancelled] when [f] has ended
    by that, so nothing of [f] goes on after it; if [f] returns nevertheless, its value is the
    result, so that nothing that it took is lost. What cancels the task from inside ends the fiber
    with [Drover.Cancelled], like any other failure.

    Raises [Invalid_argument] if [pool] is closed, and [Failure] if it has no domain of its own and
    OCaml has no room for another. *)

val await : ?pool:Drover.Pool.t -> 'a Drover.Promise.t -> 'a
(** [await p] is [Drover.await p] for fibers: suspends the fiber until [p] is settled, and raises
    what [p] failed with, with its backtrace. When the fiber is cancelled it waits no more; what
    settles [p] goes on. A task of [pool] waits meanwhile, as by {!run}. *)

val in_flight : unit -> int
(** [in_flight ()] is how many tasks of {!run} and {!Executor_pool} have not ended, in the whole
    program. Never waits. From anywhere. To bound it, bound the fibers: with [Eio.Semaphore], or
    [~max_fibers] of [Eio.Fiber.List]. *)

(** {1 From tasks}

    The functions of this part may be called from a task of {!run}, and from all that it has
    started: the other side of a fork, a loop's iteration, a task of its own. They suspend the task,
    and its worker goes on with other tasks, so any number may be in them at a time. Where the
    caller belongs to no fiber they raise [Invalid_argument]; and [Failure] if the fiber has gone on
    without it, because its {!run} has returned, as it may have when its loop has ended. *)

val in_loop : (unit -> 'a) -> 'a
(** [in_loop f] is [f ()], called in a fiber of the loop that the task was started from. This fiber
    has the cancellation context and the variables of the one that is in {!run}, which waits for it.
    Raises what [f] raises, with its backtrace.

    When the task is cancelled, the fiber is; [Drover.Cancelled] is raised when that has ended,
    unless [f] returns nevertheless or raises something else. *)

val await_in_loop : 'a Eio.Promise.t -> 'a
(** [await_in_loop p] is [in_loop (fun () -> Eio.Promise.await p)]: the value of a promise of Eio's.
    From anywhere if it is resolved already. *)

(** {1 Channels} *)

(** Channels between fibers and tasks: {!Drover.Chan}, with a fiber at one end. Where they have to
    wait, a task of [pool] does, as by {!run}. *)
module Chan : sig
  val send : ?pool:Drover.Pool.t -> 'a Drover.Chan.t -> 'a -> unit
  (** [send c v] is [Drover.Chan.send c v] for fibers: suspends the fiber while [c] is full. When it
      raises [Eio.Cancel.Cancelled], nothing was sent. Raises [Drover.Chan.Closed] as that does. *)

  val recv : ?pool:Drover.Pool.t -> 'a Drover.Chan.t -> 'a
  (** [recv c] is [Drover.Chan.recv c] for fibers: suspends the fiber until there is a message. When
      it raises [Eio.Cancel.Cancelled], nothing was received. Raises [Drover.Chan.Closed] as that
      does. *)

  val of_stream : ?pool:Drover.Pool.t -> 'a Eio.Stream.t -> 'a Drover.Chan.t -> 'never
  (** [of_stream s c] sends what it takes from [s] to [c], for ever. To be run in a fiber of its
      own, such as a daemon. Raises [Drover.Chan.Closed] when [c] is closed, also if it is while an
      element waits to be sent. *)

  val to_stream : ?pool:Drover.Pool.t -> 'a Drover.Chan.t -> 'a Eio.Stream.t -> unit
  (** [to_stream c s] adds what it receives from [c] to [s], and returns when [c] is closed and has
      no messages left. *)
end

(** {1 Moving from [Eio.Executor_pool]} *)

(** [Eio.Executor_pool]'s interface on a pool of Drover's: a program moves with
    [module Executor_pool = Drover_eio.Executor_pool].

    A job is a Drover task: it may be parallel itself, and uses the cores that are idle then. It
    cannot use Eio; one that has to, such as for input, does so within {!in_loop}. The rest is
    documented in [Eio.Executor_pool]. *)
module Executor_pool : sig
  type t
  (** The type for pools. *)

  val create : sw:Eio.Switch.t -> domain_count:int -> _ Eio.Domain_manager.t -> t
  (** [create ~sw ~domain_count dm] is a pool of [domain_count] domains, which does not use [dm].
      When all else in [sw] has ended, or [sw] fails, the jobs that are left are cancelled, and
      waited for. Raises [Invalid_argument] if [domain_count < 1]. *)

  val submit : t -> weight:float -> (unit -> 'a) -> ('a, exn) result
  (** [submit t ~weight f] is [Ok (f ())], or the error that [f ()] raises, where [f] is a job.
      Suspends the fiber. Jobs start in order, while the weights of those that run are less than the
      number of domains, together. From any loop of the program.

      When the fiber is cancelled, so is the job, and [submit] raises [Eio.Cancel.Cancelled] at
      once: a job that never looks goes on without it. When the pool's switch ends first, the result
      is [Error (Eio.Cancel.Cancelled _)].

      Raises [Invalid_argument] if [weight] is not from 0 to 1, or if the pool's switch has ended.
  *)

  val submit_exn : t -> weight:float -> (unit -> 'a) -> 'a
  (** [submit_exn t ~weight f] is the same, but raises what the job raises, with its backtrace. *)

  val submit_fork : sw:Eio.Switch.t -> t -> weight:float -> (unit -> 'a) -> 'a Eio.Promise.or_exn
  (** [submit_fork ~sw t ~weight f] is a promise for the same: a fiber of [sw] waits for it. *)
end
