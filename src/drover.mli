(** Nested-parallel programming on a work-stealing pool.

    Every function of this module may be called from anywhere: the main program, a task, another
    domain, a systhread, a task of another pool. The pool is ambient: inside a task it is that
    task's pool; elsewhere it is {!Pool.default}. A function that waits {e suspends} its task, and
    the worker goes on with other work; outside a task it {e blocks} the calling thread without
    using its processor, or suspends a fiber of another scheduler.

    Parallelism is optional: nothing guarantees that two tasks run at the same time, and every
    program is correct on one domain. In the bounds below, {e work} is the number of steps of all
    tasks and {e span} the number of steps on the longest chain of dependencies.

    A task keeps its worker until it waits: a loop that never does, and a blocking system call, hold
    the worker's domain. An effect that a task performs must be handled inside that task: a handler
    around {!both} or {!await} cannot see what another domain runs, and such an effect raises
    [Effect.Unhandled] where it was performed.

    {b Generators.} A handler inside a task may keep a continuation, and resume it later or in
    another task. Scopes and local values go with the continuation: what handles the effect is
    outside of those that the effect left, and they are entered again where it is resumed, which may
    cancel them as well. A fork in which the continuation was captured is joined where it is
    resumed. Until then the code outside is cancelled when the fork's other side fails; so a
    generator that may pause inside a fork, forks inside of a {!Scope.run} of its own. Then only the
    generator is cancelled, when it is resumed.

    {b Fibers of other schedulers.} A scheduler such as Eio's runs many fibers on one domain, and
    may say by domain-local-await how they wait. Then a call that would block the thread suspends
    the fiber, and the others go on. Such a caller lends its domain to no pool: a pool that has no
    domain of its own for the caller's place gets one, as by {!Pool.staff}. When the fiber is
    cancelled, a wait raises what its scheduler raises, and leaves nothing behind. A call that runs
    functions, such as {!both}, {!run} or {!Scope.run}, then cancels them, and raises when they have
    ended; a wait for a condition first locks the mutex again. These block the thread meanwhile, as
    a fiber that is cancelled cannot suspend; and so do a signal's handler, a finaliser and another
    thread of the domain. The fibers of a thread are not told apart: one that forces a lazy value
    again from inside, or the like, waits for itself.

    {b Threads, signals, finalisers.} A systhread is in no task, also if a task made it. It belongs
    to the domain where it was made, and a pool's domain ends when its threads have ended: so
    {!Pool.close} and {!run} wait for threads that tasks have made. A signal's handler or a
    finaliser may do what never waits. One that interrupts a task counts as part of it; between two
    tasks it is part of none.

    {1 Running} *)

val run : ?domains:int -> (unit -> 'a) -> 'a
(** [run f] is [f ()], run as a task of a pool that exists for the time of the call. [domains] is
    the pool's total parallelism, the caller's domain included (default: see {!Pool.create}).
    Suspends or blocks until [f] and all that it started have ended. Raises [Invalid_argument] if
    [domains < 1]. *)

(** {1 Fork and join} *)

val both : (unit -> 'a) -> (unit -> 'b) -> 'a * 'b
(** [both f g] is [(f (), g ())], where the two may run in parallel. The caller runs [f]; an idle
    worker may take [g], else the caller runs it next. Returns when both have ended. When one
    raises, the other is skipped if it has not started and waited for if it has; then the first
    exception is raised with its backtrace. Costs a few nanoseconds when nobody is idle, so no
    cutoff is needed to make it cheap. Work: the sum of both; span: the larger. *)

val all : (unit -> 'a) list -> 'a list
(** [all fs] is [List.map (fun f -> f ()) fs], where the elements may run in parallel and in any
    order. Exceptions as for {!both}. Work: the sum of all; span: the largest plus O(log n) forks
    and O(n) to build the lists. *)

(** {1 Promises} *)

(** The results of tasks that run on their own. *)
module Promise : sig
  type !'a t
  (** The type for values of type ['a] that a task will yield. *)

  type !'a resolver
  (** The type for the right to settle a promise, once. *)

  val create : unit -> 'a t * 'a resolver
  (** [create ()] is a fresh promise and its resolver. *)

  val fulfil : 'a resolver -> 'a -> unit
  (** [fulfil r v] settles [r]'s promise with [v] and resumes what awaits it. Never waits. From any
      thread. Raises [Invalid_argument] if the promise is settled already. *)

  val fail : 'a resolver -> ?backtrace:Printexc.raw_backtrace -> exn -> unit
  (** [fail r e] settles [r]'s promise with the exception [e]. [backtrace] defaults to an empty one.
      Never waits. From any thread. Raises [Invalid_argument] if the promise is settled already. *)

  val of_value : 'a -> 'a t
  (** [of_value v] is a promise settled with [v]. *)

  val is_settled : 'a t -> bool
  (** [is_settled p] is [true] iff {!await} on [p] would not wait. Never waits. *)

  val peek : 'a t -> ('a, exn * Printexc.raw_backtrace) result option
  (** [peek p] is the outcome of [p], if it is settled. Never waits. Counts as looking at a failure.
  *)

  val await : 'a t -> 'a
  (** [await p] is the value of [p]; suspends or blocks until there is one. Raises what [p] failed
      with, with its backtrace. *)

  val on_unawaited_failure : (exn -> Printexc.raw_backtrace -> unit) -> unit
  (** [on_unawaited_failure report] makes [report] the function that is told of the failure of an
      {!async} task that nobody awaited: when its promise is collected, or when its pool closes. The
      default prints one line on [stderr]. [report] must not raise or wait. *)
end

val async : (unit -> 'a) -> 'a Promise.t
(** [async f] is a promise for [f ()], which runs as a task of the ambient pool. Never waits. A
    failure of [f] is raised by {!await}; if nobody awaits it, it is reported (see
    {!Promise.on_unawaited_failure}). Order: a worker runs its own latest task first, thieves take
    the oldest; but who awaits a task that nobody has begun may run it at once. *)

val await : 'a Promise.t -> 'a
(** [await] is {!Promise.await}. *)

(** {1 Loops}

    Bounds are inclusive, as in [for], and may be any integers; an interval with [finish < start] is
    empty. An iteration may itself be parallel, or suspend: then the rest of the loop goes on
    without it. Nobody has to choose a chunk size. A loop runs as a plain [for] until a worker is
    idle, which then gets a half of what is left (lazy binary splitting, Tzannes et al., PPoPP
    2010); so nested loops are divided at the outermost level first. [grain], 1 by default, is the
    least number of iterations that is worth giving away. When an iteration raises, those that have
    not started are skipped, and the first exception is raised once all others have ended. All raise
    [Invalid_argument] if [grain < 1]. *)

val parallel_for : ?grain:int -> start:int -> finish:int -> (int -> unit) -> unit
(** [parallel_for ~start ~finish body] is [for i = start to finish do body i done], in parallel.
    Span: O(log n) forks plus the longest piece. *)

val parallel_range : ?grain:int -> start:int -> finish:int -> (int -> int -> unit) -> unit
(** [parallel_range ~start ~finish body] calls [body lo hi] for disjoint intervals that make up
    [start..finish]. The form to choose when an iteration is a few instructions: the inner loop is
    yours, without a call per iteration. *)

val parallel_reduce :
  ?grain:int -> start:int -> finish:int -> init:'a -> combine:('a -> 'a -> 'a) -> (int -> 'a) -> 'a
(** [parallel_reduce ~start ~finish ~init ~combine f] is [init] combined with [f start], ...,
    [f finish] in this order. [combine] must be associative, and need not be commutative; [init] is
    used once, at the left. The result is the same at each run and on any number of domains, even
    for an operator that is only nearly associative, as the addition of floats is: the values are
    grouped as the length of the interval says. Up to 63 values make a balanced tree; more are
    folded in blocks first, of a power of two of values and at most 256. A value costs a few
    nanoseconds besides [f] and [combine]. [combine a b] may change [a] or [b] and return it, unless
    others have it too: each value is combined once, and not used after. So [init] may be changed as
    well, if it is not used again. [combine] has a label: without it, OCaml says that a value was
    expected to be a function ["'a -> 'b"]. *)

val parallel_reduce_range :
  ?grain:int ->
  start:int ->
  finish:int ->
  init:'a ->
  combine:('a -> 'a -> 'a) ->
  (int -> int -> 'a) ->
  'a
(** [parallel_reduce_range ~start ~finish ~init ~combine f] is [init] combined, in order, with
    [f lo hi] for intervals that make up [start..finish]. Sums of floats run without a box per
    element this way. The intervals depend on [start], [finish] and [grain] only, also on one
    domain: there are at most 128, all but the last of one length, which is [grain] at least, or
    without it the root of the interval's. They are combined as by {!parallel_reduce}, so the result
    is the same at each run; each costs some ten nanoseconds. Where a few iterations take long,
    [~grain:1] divides them all; where [combine] costs much, as it does for large tables, a larger
    [grain] makes fewer. *)

val parallel_fold :
  ?grain:int ->
  start:int ->
  finish:int ->
  init:(unit -> 'acc) ->
  merge:('acc -> 'acc -> 'acc) ->
  ('acc -> int -> 'acc) ->
  'acc
(** [parallel_fold ~start ~finish ~init ~merge step] is
    [step (... (step (init ()) start) ...) finish]: a loop from the left whose state may be a table,
    a buffer or a counter that [step] changes and returns. Where a worker begins a part of the loop
    it makes a state of its own by [init ()], and takes all iterations of that part with it, in
    order; the states of neighbouring parts are merged, the left one first. So there is one state,
    and one more for each part that another worker took (on one domain, none), and no state is in
    two steps or merges at a time, also when a step suspends. [merge s t] may change and return [s]
    or [t]; neither is used afterwards.

    Which iterations share a state differs from run to run. The result does not, if [merge s t] is
    what the steps of [t] would have made of [s]: as for counts, tables of exact sums, and items in
    order. Where it is so only nearly, as for sums of floats, and the result is to be the same each
    time, let {!parallel_reduce_range} make a state for each of its intervals, which follow from the
    bounds alone. Span: O(log n) forks and merges plus the longest iteration. As [fold] of Rust's
    rayon, and [combinable] of TBB. *)

val parallel_fold_range :
  ?grain:int ->
  start:int ->
  finish:int ->
  init:(unit -> 'acc) ->
  merge:('acc -> 'acc -> 'acc) ->
  ('acc -> int -> int -> 'acc) ->
  'acc
(** [parallel_fold_range ~start ~finish ~init ~merge step] is {!parallel_fold} by intervals:
    [step s lo hi] takes the iterations [lo..hi], in a loop of its own. Some follow each other with
    one state; on one domain there is one interval. *)

val parallel_collect :
  ?grain:int -> start:int -> finish:int -> (int -> ('a -> unit) -> unit) -> 'a array
(** [parallel_collect ~start ~finish f] is all that [f start push], ..., [f finish push] push, in
    the order in which a loop from the left would: for results of unknown number. [push x] takes a
    few nanoseconds; an iteration may call it until it returns, in its own task. Span: O(log n)
    forks plus the longest iteration and the copy of the results. *)

val parallel_find : ?grain:int -> start:int -> finish:int -> (int -> 'a option) -> 'a option
(** [parallel_find ~start ~finish f] is [f i] for some [i] where it is not [None], if there is one;
    not always the smallest such [i]. Iterations that have not started when one is found are
    skipped. *)

(** {1 Structure} *)

exception Cancelled of exn
(** [Cancelled reason] is raised in work that nobody wants any more, where it forks, suspends, or
    looks ({!Scope.check}): because its scope was cancelled, because what ran beside it failed
    ([reason] is that failure), or because a race has a winner. Let it pass: it is raised again at
    the next such place. *)

(** Scopes: what is spawned in a scope ends before the scope does.

    {!both}, {!all}, the loops and the algorithms are scopes too: the first failure cancels the rest
    of them. A task started by {!async} is not in the scope that it was started from, and goes its
    own way; {!Scope.async} starts one that is.

    To cancel is to ask. What has not started is skipped. What runs goes on to the next place where
    it forks, begins a new block of a loop, waits for anything of this library, or calls
    {!Scope.check}, and there raises {!Cancelled}; a computation that never does any of these is
    stopped only where it is {!Scope.interruptible}, and else the scope waits for it. *)
module Scope : sig
  type t
  (** The type for scopes. *)

  val run : (t -> 'a) -> 'a
  (** [run f] is [f s], where [s] is a new scope: suspends or blocks until [f] and all that was
      spawned in [s] have ended. When [f] or a task of [s] raises, or {!cancel} is called, all
      others are cancelled, and when they have ended the first exception is raised with its
      backtrace; {!suppressed} tells the others. Runs [f] as a task; from outside one, in the
      default pool. *)

  val spawn : t -> (unit -> unit) -> unit
  (** [spawn s f] runs [f] as a task of [s]. From any thread, as long as [s] has not ended; never
      waits. When nothing but daemons is left in [s], [f] is one too, and is cancelled with them.
      Raises [Invalid_argument] if [s] has ended. *)

  val async : t -> (unit -> 'a) -> 'a Promise.t
  (** [async s f] is the same, with a promise for the result. A failure of [f] both fails the
      promise and cancels [s]. *)

  val daemon : t -> (unit -> unit) -> unit
  (** [daemon s f] is {!spawn}, but [s] does not wait for [f] to end by itself: it cancels [f] when
      all else in [s] has ended. *)

  val cancel : t -> exn -> unit
  (** [cancel s e] cancels all that runs in [s], so that {!run} raises [e]. From any thread; never
      waits. Does nothing if [s] is cancelled already or has ended. *)

  val check : unit -> unit
  (** [check ()] raises {!Cancelled} if the calling task is cancelled. For long loops of one's own:
      it costs a few nanoseconds. Does nothing outside a task. *)

  val canceller : unit -> exn -> unit
  (** [canceller ()] is a function that cancels what calls [canceller] (the innermost task, scope or
      stolen fork) with a reason, as long as that has not ended: for whoever started it and cannot
      be in a scope, such as an event loop. The function may be called from any thread, and never
      waits. Raises [Invalid_argument] outside a task. *)

  val protect : (unit -> 'a) -> 'a
  (** [protect f] is [f ()], which no cancellation of the caller reaches: for cleaning up. A scope
      inside [f] may be cancelled on its own. *)

  val interruptible : (unit -> 'a) -> 'a
  (** [interruptible f] is [f ()], which a cancellation stops even if it never looks: {!Cancelled}
      is raised at its next {e safepoint}, which is where it allocates, or comes back to the start
      of a loop. So [with_timeout 1. (fun () -> interruptible f)] ends soon after a second, and
      [first], {!cancel} and the others end [f] likewise. The forks and loops of [f], and the tasks
      of scopes that it makes, are interruptible too, on whatever domain they run; {!async} tasks
      are not.

      Not for every code: an exception may come between any two steps of [f]. What this library does
      for [f] stands that: no lock, permit or message is lost, and no structure is left half
      changed. But a change of [f]'s own to what others use too, such as a [Hashtbl] that outlives
      it, may be left half done, and what [f] has opened may stay open. Such code is {e masked}:

      - {!protect} is not interrupted, nor what is called there;
      - {!bracket} acquires and releases without interruption;
      - functions of {!Batch} are not, as they are in no scope of a submitter's.

      Let the exception pass, too: code that bears it is interrupted again, some 20 milliseconds
      later. What cannot be interrupted: a call of C, a system call, {!blocking} until the call has
      ended, a finaliser, and recursion that neither loops, allocates nor calls itself at its end,
      such as [fib] on integers, where OCaml has no safepoints. Runs [f] as a task; from outside
      one, in the default pool. Costs less than a microsecond, and a fork inside costs nothing. *)

  val bracket : acquire:(unit -> 'r) -> release:('r -> unit) -> ('r -> 'a) -> 'a
  (** [bracket ~acquire ~release f] is [f (acquire ())], and then calls [release] with what was
      acquired, also if [f] raises. No cancellation reaches [acquire] and [release], as by
      {!protect}, nor the time between them and [f]: so what was acquired is released, also where
      [f] is interrupted. *)

  val first : (unit -> 'a) list -> 'a
  (** [first fs] runs all [fs] and is the result, or raises the exception, of the one that ends
      first; suspends or blocks until the others, which are cancelled then, have ended too. What
      they raise meanwhile is reported (see {!Promise.on_unawaited_failure}). Raises
      [Invalid_argument] if [fs] is empty. *)

  exception Timeout
  (** [Timeout] is raised by the two functions below. *)

  val with_timeout : float -> (unit -> 'a) -> 'a
  (** [with_timeout seconds f] is [f ()] if that ends within [seconds]; otherwise it cancels [f], as
      {!cancel} does, and raises {!Timeout} when all of [f] has ended. So it takes longer if [f]
      does not wait, fork or look; and if [f] returns nevertheless, its value is the result, so that
      a lock or a message that it took is not lost. Does not call [f] if [seconds <= 0.]. Suspends
      or blocks as {!run} does. Raises [Invalid_argument] if [seconds] is not a number. *)

  val with_deadline : float -> (unit -> 'a) -> 'a
  (** [with_deadline time f] is [with_timeout (time -. Unix.gettimeofday ()) f]: [time] is in
      seconds since 1970, and later changes of the computer's date do not matter. *)

  (** What a scope may use, in words. *)
  type limit =
    | Heap of int  (** by which the heap of the program may grow meanwhile *)
    | Allocated of int  (** that its tasks may allocate, wherever they run *)

  exception Exceeded of { limit : limit; used : int }
  (** [Exceeded] is raised by {!limited} when the limit was found to be exceeded, with what was used
      then. *)

  val limited : ?timeout:float -> ?heap:int -> ?allocated:int -> (unit -> 'a) -> 'a
  (** [limited ~timeout ~heap ~allocated f] is {!interruptible}[ f], and stops [f] and raises

      - {!Timeout} after [timeout] seconds;
      - {!Exceeded} when [f] and all that it has started, but for {!async} tasks and what is masked,
        have allocated more than [allocated] words;
      - {!Exceeded} when they have allocated more than [heap] words, and the major heap of the
        program has grown by more than that since [f] began, after all garbage has been collected.

      A value that [f] returns nevertheless is the result. Memory is looked at when there is a
      collection: so [allocated] may be exceeded by as much as fits into the minor heaps, and by
      blocks of more than 256 words until the heap has grown by a half; [heap] by what is allocated
      within some five milliseconds, and by a single block of any size. A limit inside another
      counts for both. Costs two microseconds at most, and a fork inside costs nothing. The stack
      has OCaml's own limit ([OCAMLRUNPARAM=l=...], [Gc.control.stack_limit]): [Stack_overflow] in a
      task is that task's failure. Raises [Invalid_argument] if [timeout] is not a number, or [heap]
      or [allocated] is below zero. *)

  exception Signalled of int
  (** [Signalled s] is raised by {!run_until_signal} when the signal [s] came, one of [Sys.sigint]
      and its like. *)

  val run_until_signal : ?signals:int list -> (t -> 'a) -> 'a
  (** [run_until_signal f] is [run f] that any of [signals] (by default [Sys.sigint] and
      [Sys.sigterm]) cancels: then it raises {!Signalled} when all that runs in the scope has ended.
      The handler does nothing else, and what the program did about these signals before comes back
      in the end. When several scopes wait for a signal, all of them are cancelled. The handler runs
      on one of the program's own threads, which may wait for anything of this library meanwhile.
      From anywhere; suspends or blocks as {!run} does. Raises [Invalid_argument] or [Sys_error] if
      a signal cannot be handled. *)

  val suppressed : exn -> (exn * Printexc.raw_backtrace) list
  (** [suppressed e] is what else failed in the scope, fork or loop that raised [e], in order of
      time. Remembered for the latest 64 such [e]; an exception without arguments, which is one
      value for the whole program, carries the latest 64 of all. *)
end

(** {2 Time and blocking calls} *)

val sleep : float -> unit
(** [sleep seconds] suspends the task, or blocks the thread, for at least that long; a task that
    sleeps for no time or less lets other tasks of its pool go first. A task that is cancelled,
    before or meanwhile, wakes up and raises {!Cancelled}. It wakes up late by some microseconds if
    a worker is idle; if none is, by up to 60 milliseconds, and until a worker comes to it. The same
    holds for timeouts. Raises [Invalid_argument] if [seconds] is not a number. *)

val blocking : (unit -> 'a) -> 'a
(** [blocking f] is [f ()], where [f] makes a system call that blocks: it runs on a thread beside
    the pool, and the task suspends meanwhile, so that its worker goes on. At most 64 such calls are
    in progress, further ones wait in line. [f] runs outside any task, and all calls share the
    processor of one domain: they should wait, not compute. They have the signal mask of the
    program, so the place to start child processes is here: what a task starts elsewhere may inherit
    that its worker blocks the signals that have a handler. A call cannot be stopped: a task that is
    cancelled raises {!Cancelled} before the call, but not during it or because of it, and so does
    not lose the result. Raises what [f] raises, with its backtrace. Outside a task it is just
    [f ()], also in a fiber of another scheduler, which has such a function of its own. *)

val wait_readable : Unix.file_descr -> unit
(** [wait_readable d] suspends the task, or blocks the thread, until one can read from [d], or
    accept a connection, without waiting; or until [d] is at its end or closed. A task that is
    cancelled, before or meanwhile, raises {!Cancelled}, so {!Scope.with_timeout} limits the wait.
    Another may have read when the caller comes to it: so [d] is non-blocking at best. While all
    workers compute, it may be late by a tenth of a second. Raises [Invalid_argument] if [d] is
    above 1023, which OCaml's [select] cannot wait for; {!blocking} can read from that. Raises
    [Unix.Unix_error] if [d] is closed before. *)

val wait_writable : Unix.file_descr -> unit
(** [wait_writable d] is the same until one can write to [d]. *)

(** Values that belong to a task and to all that it starts: a request's number, a logger. *)
module Local : sig
  type 'a t
  (** The type for keys of local values. *)

  val create : 'a -> 'a t
  (** [create v] is a key whose value is [v] where no other was set. *)

  val get : 'a t -> 'a
  (** [get k] is the value of [k] here. From anywhere; never waits. *)

  val with_value : 'a t -> 'a -> (unit -> 'b) -> 'b
  (** [with_value k v f] is [f ()], where [k] has the value [v], also in all forks, loops and tasks
      that [f] starts, whatever pool or domain they run on. Runs [f] as a task; from outside one, in
      the default pool. *)
end

(** {1 Pools} *)

(** Sets of domains that run tasks. *)
module Pool : sig
  type t
  (** The type for pools. *)

  val create : ?name:string -> ?domains:int -> ?minor_heap_words:int -> ?adaptive:bool -> unit -> t
  (** [create ()] is a pool of [domains] workers: [domains - 1] domains of its own, and the domain
      of whoever calls {!run}. The default is what the environment variable [DROVER_DOMAINS] says;
      without it the smallest of the processors that the affinity mask allows, the cgroup's CPU
      quota (rounded up) and the domains that OCaml has room for. When a domain cannot be spawned
      the pool is smaller, and {!size} says so. [name] appears in error messages. [minor_heap_words]
      is the minor heap that each worker's domain has at least, in words; without it the minor heaps
      of a pool of several domains grow while minor collections come fast, up to 8M words (64 MB)
      each. Where other programs want the processors too, fewer workers may do as much as all, which
      wait for each other: then some stand by, and come back to see whether that has changed, at
      least every 0.4 s. Not if [adaptive] is [false], for those who measure; nor where the system
      does not tell how long a thread waits for a processor, as Linux does. Raises
      [Invalid_argument] if [domains < 1] or [minor_heap_words < 1], or if [DROVER_DOMAINS] is
      needed and is not a positive number. *)

  val run : t -> (unit -> 'a) -> 'a
  (** [run p f] is [f ()], run as a task of [p]. From a task of [p] it is a call. Elsewhere suspends
      or blocks until [f] has ended; one calling thread at a time lends its domain to [p] meanwhile,
      and begins with [f] at once, unless [p] is staffed; a fiber of another scheduler does not.
      Raises [Invalid_argument] if [p] is closed. *)

  val async : t -> (unit -> 'a) -> 'a Promise.t
  (** [async p f] is {!val:async}[ f] with a task of [p]. Never waits. From anywhere. Raises
      [Invalid_argument] if [p] is closed. *)

  val staff : t -> unit
  (** [staff p] gives the caller's place in [p] to a domain of [p]'s own, for good: then [p]'s tasks
      never run on a domain that is not its own, and whoever waits for them sleeps. It is for
      callers that must not compute, such as an event loop, whose tasks would otherwise have one
      domain less than [size p]. Does nothing while somebody else has the place, or if a domain
      cannot be spawned. Never waits. From anywhere. Raises [Invalid_argument] if [p] is closed, and
      [Failure] if no domain can be spawned and [p] has none of its own. *)

  val adapt_minor_heap : unit -> unit
  (** [adapt_minor_heap ()] has the minor heap of the calling domain grow while minor collections
      come fast, as those of a pool's domains do, from now on. For a domain that feeds a pool and
      allocates much itself, such as an event loop's: its collections stop the pool too. To be
      called once. Never waits. *)

  val close : t -> unit
  (** [close p] waits until every task of [p] has ended, and joins its domains. A second call waits
      for the first. Suspends or blocks. Raises [Invalid_argument] from a task of [p], which cannot
      end before itself. In a fiber of another scheduler that is cancelled it raises without having
      waited: clean up where that is protected from cancellation. *)

  val size : t -> int
  (** [size p] is the total parallelism of [p], the caller's domain included, as really obtained. *)

  val name : t -> string
  (** [name p] is the name of [p]. *)

  val current : unit -> t option
  (** [current ()] is the pool of the calling task, if it is one. Never waits. *)

  val default : unit -> t
  (** [default ()] is the pool that serves callers outside any pool: made on first use, closed at
      exit. At exit the tasks that it has are waited for as long as some task starts or ends every
      second; what is left then ends with the program, as OCaml's own threads and domains do. *)
end

(** {1 Where tasks meet} *)

(** Objects whose operations are applied in batches.

    A function that applies a whole batch of operations to a data structure is easier to write, and
    to make parallel, than operations that run side by side. A batch object makes such a function
    safe to use from any number of tasks, domains and systhreads that each submit single operations:
    it gathers what is submitted while a batch runs, and applies it as the next one.

    An operation is a plain value. It carries what the function needs to know, and mutable fields
    for its result:

    {[
    type op = { amount : int; mutable before : int }

    let add_to total ops =
      Array.iter
        (fun op ->
          op.before <- !total;
          total := !total + op.amount)
        ops

    let account = Drover.Batch.create (add_to (ref 0))

    let add amount =
      let op = { amount; before = 0 } in
      Drover.Batch.submit account op;
      op.before
    ]} *)
module Batch : sig
  type 'op t
  (** The type for objects with operations of type ['op]. *)

  (** When queued operations are applied. *)
  type policy =
    | At_once
        (** as soon as the batch before has ended, before other work of the pool; this has a turn
            when batches have gone first for five milliseconds *)
    | When_idle
        (** when a worker has run out of other work or has taken up some hundred tasks since, or
            when enough for the largest batch are queued: fewer and larger batches *)

  val create :
    ?pool:Pool.t ->
    ?max:int ->
    ?policy:policy ->
    ?timed:bool ->
    ?applied:('op -> bool) ->
    ('op array -> unit) ->
    'op t
  (** [create run] is an object that applies its operations with [run]. One call of [run] at a time
      is in progress, each operation is in exactly one call, and a call gets at least one operation
      and at most [max] (default: 256), in the order of their arrival. [run] may use everything in
      this library, and may wait, but not submit to the object itself, nor to one whose function
      submits to it, nor wait for what a submitter does when its operation has been applied. What it
      starts is part of the batch: the workers of a pool run parts of batches before other tasks.
      The cancellation of a submitter does not go into it, nor do local values ({!Local}).

      If [run] raises, the operations of its batch fail, except those that [applied] says have got
      their result (by default none has); the object goes on with the next batch. If all have, the
      exception is reported as that of a task that nobody awaits. An operation fails alone by means
      of its own fields: [run] stores the exception there, and whoever submitted the operation
      raises it.

      An operation that finds the object at rest is applied by its caller, without a further task,
      as a batch of one. Other batches run as tasks of [pool]; by default that is the pool of a task
      that submitted an operation, or {!Pool.default}. They are launched according to [policy]
      (default: {!At_once}). [timed] is for {!val-metrics} and for runtime events. Raises
      [Invalid_argument] if [max < 1]. *)

  val submit : 'op t -> 'op -> unit
  (** [submit b op] applies [op], and returns when that is done. From any thread. Suspends or blocks
      while a batch runs that [op] is not in, at most for that one, for batches full of operations
      that came before, and for its own. While an iteration of {!parallel_for} or {!parallel_range}
      waits, its worker may begin the loop's next ones, and come back to it when they wait too or
      have ended. Raises what the batch function raised, with its backtrace, if it left [op] without
      a result; [Invalid_argument] if it would wait for ever because it is called from [b]'s own
      batch function, or from what that has started (but not if a thread outside any task runs the
      function: then what it starts does wait for ever), or if it would wait in a finaliser, a
      signal's handler or another callback that has interrupted a task; {!Cancelled} if the calling
      task is cancelled before it waits. What waits is applied: a cancellation that comes later is
      seen when [submit] has returned, and what a signal's handler raises out of [submit] does not
      take the operation back. *)

  type metrics = {
    batches : int;
    operations : int;
    sizes : int array;  (** [sizes.(i)] batches had [2{^i}] to [2{^i+1} - 1] operations *)
    waiting : float;
        (** seconds that operations were queued, in all; 0 unless [timed], as reading a clock costs
            more than a short batch *)
    running : float;  (** seconds in the batch function; 0 unless [timed] *)
  }
  (** What an object has done so far. *)

  val metrics : 'op t -> metrics
  (** [metrics b] is what [b] has done. Exact when no operation is in progress. From any thread.
      Never waits. *)
end

(** {1 Seeing}

    The scheduler writes user events for OCaml's Runtime_events, at a cost of three nanoseconds each
    while nobody listens: the spans [drover.task] and [drover.park] of a domain, and the numbers
    [drover.steal] (from which worker), [drover.suspend] and [drover.resume] (which wait),
    [drover.batch] (of how many operations), [drover.worker] (the domain becomes this worker; -1: it
    ceases to be one), [drover.pool.open] and [drover.pool.close] (of which size), [drover.active]
    (how many workers of a pool are active from now on) and [drover.unserved] (for how many
    nanoseconds the workers of a pool have waited for processors since the latest such event,
    together). A fork that nobody stole has none. Of batched objects with [timed] there are also
    [drover.batch.wait] (for how many nanoseconds the operations of a batch were queued, together;
    none for an operation that found the object at rest) and [drover.batch.run] (for how many
    nanoseconds it ran). Readers get 32 bits of a number: a time of more than 2{^ 31} - 1
    nanoseconds is told in parts, to be added. The commands [drover stat] and [drover trace] read
    all of them. *)

val named : string -> (unit -> 'a) -> 'a
(** [named name f] is [f ()], between the begin and the end of the span [drover.name.NAME], with at
    most 100 characters of [name]. Any thread; costs about 30 ns while nobody listens. When [f]
    suspends, the span is seen to end there. The runtime keeps a name for ever: the thousand first
    names of a program have spans of their own, all others share [drover.name.others]. *)

module Scalability = Scalability
(** Work, span, and the speed-up that they promise. *)

(** {1 Algorithms}

    A program that opens this module and means the standard library's [List] or [Seq] opens [Stdlib]
    after it. *)

module Array = Arrays
(** Arrays in parallel: maps, reductions, scans, searches, sorts. *)

module List = Lists
(** Lists in parallel. *)

module Float_array = Float_arrays
(** Arrays of unboxed floats in parallel. *)

module Bigarray1 = Bigarrays
(** One-dimensional bigarrays in parallel. *)

module Text = Text
(** Strings in parallel: searched, and split into lines or words. *)

module Seq = Seqs
(** Lazy sequences, mapped in parallel. *)

module Delayed = Delayed
(** Pipelines without arrays between their steps. *)

module Bitset = Bitset
(** Sets of small integers that all may change at a time. *)

module Rng = Rng
(** Random numbers in loops, the same on any number of domains. *)

(** {1 Where tasks meet}

    Whoever waits here suspends if it is a task or a fiber of another scheduler, and blocks if it is
    a plain thread; all may meet at one object, of any pools. Nobody is overtaken for ever: all are
    served in order of arrival. Every wait is a place where a task that is cancelled, before or
    meanwhile, raises {!Cancelled}. A wait that raises leaves nothing behind: no permit, lock or
    message is lost.

    These modules too go before those of the standard library, whose mutexes, condition variables
    and semaphores block a worker, and whose lazy values raise when two domains force them. *)

module Chan = Chan
(** Channels: messages from tasks to others. *)

module Mutex = Mutexes
(** Locks that suspend. *)

module Condition = Conditions
(** Condition variables. *)

module Semaphore = Semaphores
(** Counting semaphores. *)

module Latch = Latch
(** Gates that open when a count has come down. *)

module Barrier = Barrier
(** Where parties wait for each other. *)

module Once = Once
(** Things to do once. *)

module Lazy = Lazies
(** Lazy values that several may force. *)

module Memo = Memo
(** Tables that compute the value of each key once. *)

module Scratch = Scratch
(** Scratch values, each for one at a time. *)
