(** Nested parallelism on a work-stealing pool of domains.

    {t
      | to                                                          | use                                                                                |
      |-------------------------------------------------------------|------------------------------------------------------------------------------------|
      | run two functions, or a list of them, and get their results | {!both}, {!all}                                                                    |
      | run a loop                                                  | {!parallel_for}; {!parallel_range} when an iteration takes only a few instructions |
      | sum up                                                      | {!parallel_reduce}, {!parallel_reduce_range}                                       |
      | fill tables, buffers and the like                           | {!parallel_fold}, {!parallel_fold_range}                                           |
      | gather any number of results                                | {!parallel_collect}                                                                |
      | find something                                              | {!parallel_find_any}, {!parallel_find_first}                                       |
      | map, filter, scan, sort, group                              | {!Array}, {!List}, {!Seq}, {!Delayed}, {!Text}                                     |
      | start a task and wait for it later                          | {!async}, {!await}; {!Scope} to end together                                       |
      | stop at a failure, a limit of time or memory, a signal      | {!Scope}                                                                           |
      | search graphs, and go through them in rounds                | {!Frontier}                                                                        |
      | share data between tasks                                    | {!Memo}, {!Bitset}, {!Batch}, and the library [drover.batched]                     |
      | wait for other tasks                                        | {!Chan}, {!Mutex}, {!Semaphore}, {!Latch} and others                               |
      | make system calls that block                                | {!blocking}                                                                        |
      | choose the number of domains                                | {!run}, {!Pool}; [DROVER_DOMAINS]                                                  |
    }

    Each function may be called from anywhere: from the main program, a task, another domain, a
    systhread, or a task of another pool. The pool is ambient: inside a task it is that task's pool;
    elsewhere it is {!Pool.default}. A function that waits {e suspends} its task, and the worker
    runs other tasks meanwhile. Outside a task it {e blocks} the calling thread without using its
    processor, or suspends the calling fiber of another scheduler.

    Parallelism is optional: nothing guarantees that two tasks run at the same time, and every
    program is correct on one domain. In the bounds below, {e work} is the number of steps of all
    tasks and {e span} the number of steps on the longest chain of dependencies.

    A task keeps its worker until it waits: a loop that never waits, or a system call that blocks,
    occupies the worker's domain. The effects that a task performs must be handled inside that task:
    a handler around {!both} or {!await} does not see the effects of code that another domain runs,
    and such an effect raises [Effect.Unhandled] where it is performed.

    {1 Running} *)

val run : ?domains:int -> (unit -> 'a) -> 'a
(** [run f] is [f ()], run as a task of a pool that exists for the duration of the call. [domains]
    is the pool's total parallelism, including the caller's domain (default: see {!Pool.create}).
    Suspends or blocks until [f] and everything that it started have ended. Raises
    [Invalid_argument] if [domains < 1].

    {[
    Drover.run ~domains:2 (fun () -> 6 * 7) = 42
    ]} *)

(** {1 Fork and join} *)

val both : (unit -> 'a) -> (unit -> 'b) -> 'a * 'b
(** [both f g] is [(f (), g ())], where the two may run in parallel. The caller runs [f]. An idle
    worker may steal [g]; otherwise the caller runs [g] next. Suspends or blocks until both have
    ended. When one raises, the other is skipped if it has not started, and cancelled and waited for
    if it has; then the first exception is raised with its backtrace. Costs some calls of a function
    where nobody steals, more where each fork lies in the one before, as along a list: recursion
    needs a cutoff only where hardly more work lies between two forks. Work: the sum of both; span:
    the larger.

    {[
    Drover.both (fun () -> 1 + 1) (fun () -> "two") = (2, "two")
    ]} *)

val all : (unit -> 'a) list -> 'a list
(** [all fs] is [List.map (fun f -> f ()) fs], where the functions may run in parallel and in any
    order. Waits, and raises, as {!both} does. Work: the sum of all; span: the largest plus O(log n)
    forks and O(n) to build the lists.

    {[
    Drover.all [ (fun () -> 1 + 1); (fun () -> 6 * 7) ] = [ 2; 42 ]
    ]} *)

val all_settled : (unit -> 'a) list -> ('a, exn * Printexc.raw_backtrace) result list
(** [all_settled fs] is {!all}[ fs] where a failure ends nothing else: the result of each, or its
    exception with its backtrace. Suspends or blocks until all have ended. Raises {!Cancelled} if
    the caller is cancelled. Work and span: as {!all}.

    {[
    let lost () = failwith "lost" and found () = 7 in
    let settled = Drover.all_settled [ found; lost ] in
    List.map Result.is_ok settled = [ true; false ]
    ]} *)

(** {1 Promises} *)

(** The results of tasks that run on their own. *)
module Promise : sig
  type !'a t
  (** The type for promises of a value of type ['a]. *)

  type !'a resolver
  (** The type for what settles a promise, once. *)

  val create : unit -> 'a t * 'a resolver
  (** [create ()] is a fresh promise and its resolver. From anywhere; never waits.

      {[
      let promise, resolver = Drover.Promise.create () in
      Drover.Promise.fulfil resolver 7;
      Drover.await promise = 7
      ]} *)

  val fulfil : 'a resolver -> 'a -> unit
  (** [fulfil r v] settles [r]'s promise with [v] and resumes whoever awaits it. From any thread;
      never waits. Raises [Invalid_argument] if the promise is settled already.

      {[
      let promise, resolver = Drover.Promise.create () in
      ignore (Thread.create (Drover.Promise.fulfil resolver) 7);
      Drover.await promise = 7
      ]} *)

  val fail : 'a resolver -> ?backtrace:Printexc.raw_backtrace -> exn -> unit
  (** [fail r e] settles [r]'s promise with the exception [e]. [backtrace] is empty by default. From
      any thread; never waits. Raises [Invalid_argument] if the promise is settled already.

      {[
      let promise, resolver = Drover.Promise.create () in
      Drover.Promise.fail resolver Not_found;
      match Drover.await promise with _ -> false | exception Not_found -> true
      ]} *)

  val try_fulfil : 'a resolver -> 'a -> bool
  (** [try_fulfil r v] is {!fulfil}[ r v] and [true], or [false] if the promise is settled already:
      of several callers at the same time, one gets [true]. From any thread; never waits.

      {[
      let promise, resolver = Drover.Promise.create () in
      let is_first n = Drover.Promise.try_fulfil resolver n in
      let firsts = Drover.List.filter is_first [ 1; 2; 3 ] in
      firsts = [ Drover.await promise ]
      ]} *)

  val try_fail : 'a resolver -> ?backtrace:Printexc.raw_backtrace -> exn -> bool
  (** [try_fail r e] is {!fail}[ r e] and [true], or [false] if the promise is settled already: then
      nobody learns of [e]. From any thread; never waits.

      {[
      let _, resolver = Drover.Promise.create () in
      Drover.Promise.fulfil resolver 7;
      not (Drover.Promise.try_fail resolver Not_found)
      ]} *)

  val of_value : 'a -> 'a t
  (** [of_value v] is a promise that is settled with [v]. From anywhere; never waits.

      {[
      Drover.await (Drover.Promise.of_value 7) = 7
      ]} *)

  val is_settled : 'a t -> bool
  (** [is_settled p] is [true] iff {!await} on [p] would not wait. Never waits.

      {[
      let promise, _ = Drover.Promise.create () in
      Drover.Promise.is_settled promise = false
      ]} *)

  val peek : 'a t -> ('a, exn * Printexc.raw_backtrace) result option
  (** [peek p] is the outcome of [p], if it is settled. Never waits. A failure that [peek] has
      returned counts as awaited.

      {[
      Drover.Promise.peek (Drover.Promise.of_value 7) = Some (Ok 7)
      ]} *)

  val await : 'a t -> 'a
  (** [await p] is the value of [p]; suspends or blocks until [p] is settled. If [p] has failed,
      raises its exception with its backtrace.

      {[
      Drover.Promise.await (Drover.async (fun () -> 6 * 7)) = 42
      ]} *)

  val map : ('a -> 'b) -> 'a t -> 'b t
  (** [map f p] is a promise of [f v], where [v] is the value of [p]; it takes no task. What settles
      [p] calls [f] before it goes on, be it a task or a thread; if [p] is settled already, [map]
      does. So [f] must be short, and must not wait. The local values that it sees are those of the
      caller of [map], and no cancellation reaches it. If [p] fails, the promise fails likewise,
      with the same backtrace. If [f] raises, it fails as an {!async} task does. From anywhere;
      never waits. Work and span: those of [f].

      As long as [p] is pending it keeps [f] and the promise, whether anybody needs that or not. So
      map a promise that stays pending for long, such as that of a shutdown, once, and not in each
      round of a loop; likewise, {!both}, {!all} and {!any} stay with all of their promises until
      their own outcome is there, and then with none.

      {[
      Drover.await (Drover.Promise.map succ (Drover.async (fun () -> 6))) = 7
      ]} *)

  val both : 'a t -> 'b t -> ('a * 'b) t
  (** [both p q] is a promise of the values of [p] and [q]; it takes no task. It fails as soon as
      one of them does, with the same backtrace; if the other fails later, nobody has awaited that.
      From anywhere; never waits.

      {[
      let number = Drover.async (fun () -> 6 * 7) in
      let word = Drover.Promise.of_value "two" in
      Drover.await (Drover.Promise.both number word) = (42, "two")
      ]} *)

  val all : 'a t list -> 'a list t
  (** [all ps] is a promise of the values of all [ps], in their order. It fails as {!Promise.both}
      does. It is fulfilled if [ps] is empty. From anywhere; never waits. Work and span: O(n).

      {[
      let square n = Drover.async (fun () -> n * n) in
      Drover.await (Drover.Promise.all (List.map square [ 1; 2; 3 ])) = [ 1; 4; 9 ]
      ]} *)

  val any : 'a t list -> 'a t
  (** [any ps] is a promise of the value of the first of [ps] that is fulfilled. The others are not
      cancelled, as they are by {!Scope.any}. If all fail, so does the promise, with the first
      failure; {!Scope.suppressed} returns the others. A failure of one of [ps] counts as awaited.
      From anywhere; never waits. Raises [Invalid_argument] if [ps] is empty. Work and span: O(n).

      {[
      let never, _ = Drover.Promise.create () in
      Drover.await (Drover.Promise.any [ never; Drover.Promise.of_value 7 ]) = 7
      ]} *)

  val on_unawaited_failure : (exn -> Printexc.raw_backtrace -> unit) -> unit
  (** [on_unawaited_failure report] has [report] called with the failure of each {!async} task that
      nobody awaited: when the garbage collector reclaims its promise, or when its pool closes. The
      default prints it on [stderr], with its backtrace. [report] must neither raise nor wait.

      {[
      let report e _ = prerr_endline (Printexc.to_string e) in
      Drover.Promise.on_unawaited_failure report = ()
      ]} *)
end

val async : (unit -> 'a) -> 'a Promise.t
(** [async f] is a promise for [f ()], which runs as a task of the ambient pool. Never waits.
    {!await} raises a failure of [f]; a failure that nobody awaits is reported (see
    {!Promise.on_unawaited_failure}). A worker runs its own latest task first, and thieves take the
    oldest; but whoever awaits a task that has not started may run it at once.

    {[
    let promise = Drover.async (fun () -> 6 * 7) in
    Drover.await promise = 42
    ]} *)

val await : 'a Promise.t -> 'a
(** [await] is {!Promise.await}.

    {[
    Drover.await (Drover.async (fun () -> "done")) = "done"
    ]} *)

(** {1 Loops}

    Bounds are inclusive, as in [for]: the last index of an array is [~finish:(Array.length a - 1)].
    They may be any integers; an interval with [finish < start] is empty. An iteration may itself be
    parallel. It may also suspend: then the rest of the loop goes on without it. You need not choose
    a chunk size. A loop runs as a plain [for] until a worker is idle, and then gives it half of the
    iterations that are left (lazy binary splitting, Tzannes et al., PPoPP 2010); so nested loops
    are divided at the outermost level first. [grain], 1 by default, is the smallest number of
    iterations that is worth giving away.

    A loop suspends or blocks until all its iterations have ended. When an iteration raises, those
    that have not started are skipped, those that have are cancelled, and the first exception is
    raised once they have ended. All loops raise [Invalid_argument] if [grain < 1]. Work: that of
    the serial loop, plus merges and copies. *)

val parallel_for : ?grain:int -> start:int -> finish:int -> (int -> unit) -> unit
(** [parallel_for ~start ~finish body] is [for i = start to finish do body i done], in parallel.
    Span: O(log n) forks plus the longest piece.

    {[
    let a = Array.make 4 0 in
    Drover.parallel_for ~start:0 ~finish:3 (fun i -> a.(i) <- i * i);
    a = [| 0; 1; 4; 9 |]
    ]} *)

val parallel_range : ?grain:int -> start:int -> finish:int -> (int -> int -> unit) -> unit
(** [parallel_range ~start ~finish body] calls [body lo hi] for disjoint intervals that make up
    [start..finish]. Choose it when an iteration takes only a few instructions: the inner loop is
    yours, and there is no call per iteration. With the package [ppx_drover], this is
    [for%par i = start to finish do ... done].

    {[
    let a = Array.make 4 0 in
    Drover.parallel_range ~start:0 ~finish:3 (fun lo hi ->
        for i = lo to hi do
          a.(i) <- i * i
        done);
    a = [| 0; 1; 4; 9 |]
    ]} *)

val parallel_reduce :
  ?grain:int -> start:int -> finish:int -> init:'a -> combine:('a -> 'a -> 'a) -> (int -> 'a) -> 'a
(** [parallel_reduce ~start ~finish ~init ~combine f] is [init] combined with [f start], ...,
    [f finish] in this order. [combine] must be associative, and need not be commutative; [init] is
    used once, at the left.

    The result is the same at each run and on any number of domains, even for an operator that is
    only nearly associative, such as the addition of floats: how the values are grouped depends only
    on the length of the interval. Up to 63 values form a balanced tree; longer intervals are first
    folded in blocks, whose length is a power of two and at most 256. Each value costs a few
    nanoseconds besides [f] and [combine]. [combine a b] may modify [a] or [b] and return it, unless
    other code uses it too: each value is combined once, and not used afterwards. So [init] may be
    modified as well, if it is not used again. [combine] has a label: if you leave it out, OCaml
    complains that it expected a value to be a function ["'a -> 'b"].

    {[
    let square i = i * i in
    Drover.parallel_reduce ~start:1 ~finish:10 ~init:0 ~combine:( + ) square = 385
    ]} *)

val parallel_reduce_range :
  ?grain:int ->
  start:int ->
  finish:int ->
  init:'a ->
  combine:('a -> 'a -> 'a) ->
  (int -> int -> 'a) ->
  'a
(** [parallel_reduce_range ~start ~finish ~init ~combine f] is [init] combined, in order, with
    [f lo hi] for intervals that make up [start..finish]. This way a sum of floats needs no boxed
    float per element. The intervals depend only on [start], [finish] and [grain], on any number of
    domains: there are at most 512 of them, all of one length except the last. That length is at
    least [grain]; without [grain], at least the square root of the length of the whole interval.
    Their results are combined as {!parallel_reduce} does, so the result is the same at each run.
    Where a few iterations take long, [~grain:1] divides them all.

    Not for tables: each interval fills one of its own, and as most keys occur in most intervals,
    [combine] adds again nearly all that [f] has added. To count the words of a text this way takes
    twice a serial loop's time on one domain. Take {!parallel_fold_range}, which makes another table
    only where another worker takes a part, or {!Array.reduce_by} for elements with keys.

    {[
    let sum lo hi = (hi - lo + 1) * (lo + hi) / 2 in
    let start = 1 and finish = 100 in
    Drover.parallel_reduce_range ~start ~finish ~init:0 ~combine:( + ) sum = 5050
    ]} *)

val parallel_fold :
  ?grain:int ->
  start:int ->
  finish:int ->
  make:(unit -> 'acc) ->
  merge:('acc -> 'acc -> 'acc) ->
  ('acc -> int -> 'acc) ->
  'acc
(** [parallel_fold ~start ~finish ~make ~merge step] is
    [step (... (step (make ()) start) ...) finish]: a loop from the left whose state may be a table,
    a buffer or a counter that [step] modifies and returns. The label is [~make], a function such as
    [fun () -> Hashtbl.create 10], and not [~init]. A worker that begins a part of the loop makes a
    state of its own with [make ()], and takes all iterations of that part with it, in order. The
    states of neighbouring parts are merged, the left one first. So there is one state, and one more
    for each part that another worker took; on one domain there is only one. No state is ever in two
    steps or merges at a time, even when a step suspends. [merge s t] may modify and return [s] or
    [t]; neither is used afterwards.

    Which iterations share a state differs from run to run. The result does not, if [merge s t] is
    what the steps of [t] would have made of [s]: this holds for counts, for tables of exact sums,
    and for items in order. It holds only nearly for sums of floats. To get the same sum at each
    run, use {!parallel_reduce_range} and make a state for each of its intervals, which depend only
    on the bounds. Span: O(log n) forks and merges plus the longest iteration. Corresponds to [fold]
    in Rust's rayon, and to [combinable] in TBB.

    {[
    Drover.parallel_fold ~start:1 ~finish:4
      ~make:(fun () -> [])
      ~merge:(fun left right -> right @ left)
      (fun list i -> i :: list)
    = [ 4; 3; 2; 1 ]
    ]} *)

val parallel_fold_range :
  ?grain:int ->
  start:int ->
  finish:int ->
  make:(unit -> 'acc) ->
  merge:('acc -> 'acc -> 'acc) ->
  ('acc -> int -> int -> 'acc) ->
  'acc
(** [parallel_fold_range ~start ~finish ~make ~merge step] is {!parallel_fold} by intervals:
    [step s lo hi] takes the iterations [lo..hi], in a loop of its own. Several intervals may follow
    each other with one state; on one domain there is one interval.

    {[
    Drover.parallel_fold_range ~start:1 ~finish:100
      ~make:(fun () -> 0)
      ~merge:( + )
      (fun n lo hi -> n + hi - lo + 1)
    = 100
    ]} *)

val parallel_collect :
  ?grain:int -> start:int -> finish:int -> (int -> ('a -> unit) -> unit) -> 'a array
(** [parallel_collect ~start ~finish f] is the array of all that [f start push], ...,
    [f finish push] push, in the order of a serial loop: for results whose number is not known
    before. [push x] takes a few nanoseconds. An iteration may call it only in its own task, and
    only until it returns. Span: O(log n) forks plus the longest iteration and the copy of the
    results.

    {[
    let squares_of_even i push = if i mod 2 = 0 then push (i * i) in
    Drover.parallel_collect ~start:1 ~finish:9 squares_of_even = [| 4; 16; 36; 64 |]
    ]} *)

val parallel_find_any : ?grain:int -> start:int -> finish:int -> (int -> 'a option) -> 'a option
(** [parallel_find_any ~start ~finish f] is [f i] for some [i] where [f i] is not [None], if there
    is one; it need not be the smallest such [i]. Iterations that have not started by then are
    skipped.

    {[
    let root i = if i * i = 49 then Some i else None in
    Drover.parallel_find_any ~start:1 ~finish:100 root = Some 7
    ]} *)

val parallel_find_first : start:int -> finish:int -> (int -> 'a option) -> 'a option
(** [parallel_find_first ~start ~finish f] is [f i] for the smallest [i] where [f i] is not [None],
    if there is one: the result of a serial loop, also when [f] raises. [f] may be called behind
    that [i]: [finish] may be far away, as the search goes in rounds, each as long as all before it.
    Work: at most some two times that of the serial loop, and that of 32 iterations. Span: O((log
    n)^2) forks plus n / 512 iterations.

    {[
    let multiple i = if i mod 7 = 0 then Some i else None in
    Drover.parallel_find_first ~start:1 ~finish:max_int multiple = Some 7
    ]} *)

(** {1 Structure} *)

exception Cancelled of exn
(** [Cancelled reason] is raised in work whose result is no longer wanted, where it forks, suspends,
    or calls {!Scope.check}: because its scope was cancelled, because what ran beside it failed
    ([reason] is that failure), or because a race has a winner. Do not catch it for good: it is
    raised again at the next such place. *)

(** Scopes: what is spawned in a scope ends before the scope does.

    {!both}, {!all}, the loops and the algorithms are scopes too: the first failure cancels the rest
    of them. A task started by {!async} belongs to no scope, not even to the one that it was started
    in; {!Scope.async} starts one that does.

    Cancellation is cooperative. Tasks that have not started are skipped. Running code continues to
    the next place where it forks, begins a new block of a loop, waits for anything of this library,
    or calls {!Scope.check}; there {!Cancelled} is raised. Code that never does any of these is
    stopped only inside {!Scope.interruptible}; otherwise the scope waits for it. *)
module Scope : sig
  type t
  (** The type for scopes. *)

  val run : (t -> 'a) -> 'a
  (** [run f] is [f s], where [s] is a new scope. Suspends or blocks until [f] and all tasks that
      were spawned in [s] have ended. When [f] or a task of [s] raises, or {!cancel} is called,
      everything else in [s] is cancelled. When it has ended, the first exception is raised with its
      backtrace; {!suppressed} returns the others. Runs [f] as a task of the caller's pool, or of
      the default pool if the caller is not a task.

      {[
      let is_done = ref false in
      let finish () = is_done := true in
      Drover.Scope.run (fun s -> Drover.Scope.spawn s finish);
      !is_done
      ]} *)

  val spawn : ?finally:(unit -> unit) -> t -> (unit -> unit) -> unit
  (** [spawn s f] runs [f] as a task of [s]. From any thread, as long as [s] has not ended; never
      waits. When only daemons are left in [s], [f] becomes a daemon too, and is cancelled with
      them. Raises [Invalid_argument] if [s] has ended.

      A task that is cancelled before it starts never calls [f]. So what was acquired for it, such
      as a connection, is released by [finally], which is called once in any case: by the task when
      [f] has returned or raised, or in place of [f]; or by [spawn] before it raises. No
      cancellation reaches it, as with {!protect}. What it raises is a failure of the task.
      {!Semaphore.spawn} bounds how many tasks there are at a time.

      {[
      let n = Atomic.make 0 in
      Drover.Scope.(
        run (fun s ->
            for _ = 1 to 10 do
              spawn s (fun () -> Atomic.incr n)
            done));
      Atomic.get n = 10
      ]} *)

  val async : t -> (unit -> 'a) -> 'a Promise.t
  (** [async s f] is {!spawn}, with a promise for the result. A failure of [f] both fails the
      promise and cancels [s]. From any thread, as long as [s] has not ended; never waits. Raises
      [Invalid_argument] if [s] has ended.

      {[
      let product () = 6 * 7 in
      Drover.Scope.(run (fun s -> Drover.await (async s product))) = 42
      ]} *)

  val daemon : t -> (unit -> unit) -> unit
  (** [daemon s f] is {!spawn}, but [s] does not wait for [f] to finish: it cancels [f] when
      everything else in [s] has ended.

      {[
      Drover.Scope.run (fun s ->
          Drover.Scope.daemon s (fun () -> Drover.sleep 60.);
          "soon")
      = "soon"
      ]} *)

  val cancel : t -> exn -> unit
  (** [cancel s e] cancels everything that runs in [s], so that {!run} raises [e]. From any thread;
      never waits. Does nothing if [s] is cancelled already or has ended.

      {[
      match
        Drover.Scope.(
          run (fun s ->
              spawn s (fun () -> Drover.sleep 60.);
              cancel s Exit))
      with
      | () -> false
      | exception Exit -> true
      ]} *)

  val check : unit -> unit
  (** [check ()] raises {!Cancelled} if the calling task is cancelled. Call it in long loops of your
      own: it costs a few nanoseconds. Does nothing outside a task. Never waits.

      {[
      match
        Drover.Scope.(
          with_timeout 0.01 (fun () ->
              while true do
                check ()
              done))
      with
      | () -> false
      | exception Drover.Scope.Timeout -> true
      ]} *)

  val protect : (unit -> 'a) -> 'a
  (** [protect f] is [f ()], which no cancellation of the caller reaches: for cleaning up. A scope
      inside [f] may still be cancelled on its own.

      {[
      let closed = ref false in
      let close () =
        Drover.sleep 0.01;
        closed := true
      in
      match
        Drover.Scope.(
          run (fun s ->
              cancel s Exit;
              protect close))
      with
      | () -> false
      | exception Exit -> !closed
      ]} *)

  val interruptible : (unit -> 'a) -> 'a
  (** [interruptible f] is [f ()], which a cancellation stops even if [f] never checks for one:
      {!Cancelled} is raised at its next {e safepoint}, which is where it allocates or starts the
      next iteration of a loop. So [with_timeout 1. (fun () -> interruptible f)] ends soon after a
      second, and {!first}, {!cancel} and the others stop [f] likewise. The forks and loops of [f],
      and the tasks of scopes that it makes, are interruptible too, on any domain; {!async} tasks
      are not.

      It is not for all code: an exception may come between any two steps of [f]. It never comes in
      the middle of a function of this library: no lock, permit or message is lost, and no structure
      is left half changed. (A loop or an array function calls the functions that it is given where
      they can be interrupted.) But if [f] itself is changing data that others use too, such as a
      [Hashtbl] that outlives it, the change may be left half done; and what [f] has opened may stay
      open. Such code must be {e masked}:

      - {!protect} masks the function that it is given, and all that it calls;
      - {!bracket} acquires and releases without interruption;
      - batch functions (see {!Batch}) are masked, as they belong to no scope of a submitter.

      Do not swallow the exception either: code that does is interrupted again some 20 milliseconds
      later, and after five times at each safepoint. So it ends, unless each of its safepoints lies
      in a handler that swallows all exceptions. Nothing interrupts C code, a system call,
      {!blocking} until its call has ended, a finaliser, or recursion that has no safepoint because
      it neither loops, allocates nor ends in a tail call to itself, such as [fib] on integers. Runs
      [f] as a task of the caller's pool, or of the default pool if the caller is not a task. Costs
      less than a microsecond, and nothing for each fork inside.

      {[
      match
        Drover.Scope.(
          with_timeout 0.01 (fun () ->
              interruptible (fun () ->
                  while true do
                    ()
                  done)))
      with
      | () -> false
      | exception Drover.Scope.Timeout -> true
      ]} *)

  val bracket : acquire:(unit -> 'r) -> release:('r -> unit) -> ('r -> 'a) -> 'a
  (** [bracket ~acquire ~release f] is [f (acquire ())]; it then calls [release] with what was
      acquired, even if [f] raises. No cancellation reaches [acquire] and [release], as with
      {!protect}, nor the moments between them and [f]: so what was acquired is released even if [f]
      is interrupted.

      {[
      Drover.Scope.bracket
        ~acquire:(fun () -> open_in "/dev/null")
        ~release:close_in In_channel.input_all
      = ""
      ]} *)

  val first : ?combine:('a -> 'a -> 'a) -> (unit -> 'a) list -> 'a
  (** [first fs] runs all [fs], and returns the result or raises the exception of the one that ends
      first. Cancels the others then, and suspends or blocks until they have ended too.

      Others may return, too: those that end at the same moment, or that a cancellation does not
      stop. {b Their values are dropped}, and with them a message that one has received, or a permit
      that it has acquired. {!Chan.select} receives one message and leaves all others where they
      are, and {!with_timeout} keeps the value of its function. Otherwise, use [combine]: then the
      values of all that have returned are combined in the order in which they ended, as
      [combine (combine a b) c], when all have ended. And a value comes before an exception, also
      one that was raised earlier. For example,
      [first ~combine:( @ ) [ (fun () -> [ Chan.recv c ]); (fun () -> sleep 1.; []) ]] loses no
      message.

      What a loser raises is reported (see {!Promise.on_unawaited_failure}), unless it says that
      something is over: {!Cancelled}, {!Chan.Closed}, {!Timeout}, or the exception that [first]
      raises. If the caller is cancelled when one has ended, that still counts.

      A function that gets no worker cannot win: where there are fewer workers than functions that
      neither fork, loop in parallel nor wait, the others may have to wait until one of these has
      ended, even if it is {!interruptible}. Raises [Invalid_argument] if [fs] is empty.

      {[
      Drover.Scope.first
        [
          (fun () ->
            Drover.sleep 60.;
            "late");
          (fun () -> "soon");
        ]
      = "soon"
      ]} *)

  val any : ?combine:('a -> 'a -> 'a) -> (unit -> 'a) list -> 'a
  (** [any fs] is {!first}[ fs] for functions that may fail: the result of the one that returns
      first. Cancels the others then, and suspends or blocks until they have ended too; no failure
      counts once there is a result. {b The values of others that return are dropped}, as by
      {!first}, unless there is [combine]; {!Chan.select} and {!with_timeout} drop none. If all
      fail, raises the first failure; {!suppressed} returns the others. Raises [Invalid_argument] if
      [fs] is empty.

      {[
      Drover.Scope.any [ (fun () -> failwith "lost"); (fun () -> "found") ] = "found"
      ]} *)

  exception Timeout
  (** [Timeout] is raised by {!with_timeout}, {!with_deadline} and {!limited}. *)

  val with_timeout : float -> (unit -> 'a) -> 'a
  (** [with_timeout seconds f] is [f ()] if that ends within [seconds]; otherwise it cancels [f], as
      {!cancel} does, and raises {!Timeout} when all of [f] has ended. So it takes longer if [f]
      does not fork, wait or call {!check}. If [f] still returns a value after the timeout, that
      value is the result: otherwise a lock or a message that [f] has just taken would be lost.
      Raises {!Timeout} without calling [f] if [seconds <= 0.]. Suspends or blocks as {!run} does.
      Raises [Invalid_argument] if [seconds] is not a number.

      {[
      match Drover.Scope.with_timeout 0.01 (fun () -> Drover.sleep 60.) with
      | () -> false
      | exception Drover.Scope.Timeout -> true
      ]} *)

  val with_deadline : float -> (unit -> 'a) -> 'a
  (** [with_deadline time f] is [with_timeout (time -. Unix.gettimeofday ()) f]: [time] is in
      seconds since 1970, and later changes of the computer's date do not matter.

      {[
      let in_a_minute = Unix.gettimeofday () +. 60. in
      Drover.Scope.with_deadline in_a_minute (fun () -> "in time") = "in time"
      ]} *)

  (** What {!limited} limits. Numbers are in words. *)
  type limit =
    | Heap of int  (** how much the tasks may keep in the program's heap *)
    | Allocated of int  (** how much the tasks may allocate, on all domains together *)

  exception Exceeded of { limit : limit; used : int }
  (** [Exceeded {limit; used}] is raised by {!limited} when it finds that [limit] is exceeded, by
      then with [used] words. *)

  val limited : ?timeout:float -> ?heap:int -> ?allocated:int -> (unit -> 'a) -> 'a
  (** [limited ~timeout ~heap ~allocated f] is {!interruptible}[ f], with limits of time and of
      words in OCaml's heaps; what is outside of these, as the elements of bigarrays are, does not
      count. It stops [f] and raises

      - {!Timeout} after [timeout] seconds;
      - {!Exceeded} when [f] and all that it has started, except {!async} tasks and masked code,
        have allocated more than [allocated] words;
      - {!Exceeded} when they keep more than [heap] words in the program's major heap.

      If [f] still returns a value, that is the result; {!limited_result} tells.

      What [f] keeps is its share of what has been added to the major heap since it began, when all
      garbage has been collected. The limited scopes that run meanwhile share that in proportion to
      what each of them may hold of it, by what it has put there. So nobody is stopped for what a
      neighbour keeps, unless that has no limit; but [f] may keep up to one and a half times [heap],
      or more where neighbours make much garbage that outlives a minor collection. The program's
      garbage is collected when [f] has put a quarter of [heap] into the major heap, and again when
      it may have reached its limit.

      Memory is checked at collections. So both may be exceeded by as much as fits into the minor
      heaps; [allocated] also by blocks of more than 256 words until the heap has grown by a half;
      [heap] also by what is allocated within some five milliseconds, and by a single block of any
      size. What is allocated under nested limits counts for all of them. Costs about as much as
      {!with_timeout}, and nothing for each fork inside. The stack has OCaml's own limit
      ([OCAMLRUNPARAM=l=...], [Gc.control.stack_limit]): [Stack_overflow] in a task is that task's
      failure. Suspends or blocks as {!run} does. Raises [Invalid_argument] if [timeout] is not a
      number, or [heap] or [allocated] is negative, and [Failure] if no thread can be made that
      would stop [f] after [timeout].

      {[
      let endless () =
        while true do
          ()
        done
      in
      match Drover.Scope.limited ~timeout:0.01 endless with
      | () -> false
      | exception Drover.Scope.Timeout -> true
      ]} *)

  val limited_result :
    ?timeout:float -> ?heap:int -> ?allocated:int -> (unit -> 'a) -> ('a, exn * 'a option) result
  (** [limited_result f] is {!limited}[ f] for code that may swallow exceptions: [Ok v] if [f]
      returned [v] within its limits, or else [Error (limit, v)]. [limit] is the {!Timeout} or
      {!Exceeded} that stopped [f]; [v] is what [f] still returned, if it did, and may be wrong.
      What else [f] raises is raised. Suspends or blocks, and raises, as {!limited} does.

      {[
      Drover.Scope.limited_result ~timeout:60. (fun () -> 6 * 7) = Ok 42
      ]} *)

  exception Signalled of int
  (** [Signalled s] is raised by {!run_until_signal} when signal [s] has arrived, such as
      [Sys.sigint]. *)

  val run_until_signal : ?signals:int list -> (t -> 'a) -> 'a
  (** [run_until_signal f] is {!run}[ f], which any of [signals] (by default [Sys.sigint] and
      [Sys.sigterm]) cancels: it then raises {!Signalled} when everything in the scope has ended.
      The signal handler does nothing else, and the program's previous handlers are restored at the
      end. When several scopes wait for one signal, it cancels all of them. The handler runs on one
      of the program's own threads, even while that thread waits for something of this library. From
      anywhere; suspends or blocks as {!run} does. Raises [Invalid_argument] or [Sys_error] if a
      signal cannot be handled.

      {[
      Drover.Scope.run_until_signal (fun _ -> "no signal came") = "no signal came"
      ]} *)

  val suppressed : exn -> (exn * Printexc.raw_backtrace) list
  (** [suppressed e] is the list of the other failures in the scope, fork or loop that raised [e],
      in order of time. They are kept for the latest 64 such [e]. An exception without arguments is
      one value for the whole program: it carries the latest 64 failures of all its uses. From
      anywhere; never waits.

      {[
      match Drover.both (fun () -> failwith "first") (fun () -> "second") with
      | _ -> false
      | exception e -> Drover.Scope.suppressed e = []
      ]} *)
end

(** {2 Time and blocking calls} *)

val sleep : float -> unit
(** [sleep seconds] suspends the task, or blocks the thread, for at least that long. If
    [seconds <= 0.], a task lets other tasks of its pool run first. A task that is cancelled, before
    or meanwhile, wakes up and raises {!Cancelled}. If a worker is idle, the task wakes up some
    microseconds late. If none is, it wakes up to 60 milliseconds late, and then waits for a free
    worker. The same holds for timeouts. Raises [Invalid_argument] if [seconds] is not a number.

    {[
    Drover.sleep 0.01 = ()
    ]} *)

val blocking : (unit -> 'a) -> 'a
(** [blocking f] is [f ()], for an [f] that makes a blocking system call: [f] runs on a thread
    beside the pool, and the task suspends meanwhile, so that its worker runs other tasks. At most
    64 such calls are in progress at a time; further ones queue. [f] runs outside any task, and all
    calls share one domain: they should wait, not compute. A call costs tens of microseconds, as two
    threads are woken, each for the other, and less in a row of short calls: so it is for what may
    wait much longer. Files that are in the system's cache do not block; read those in the task
    itself. The calls have the program's signal mask, so this is the place to start child processes:
    a process that a task starts elsewhere may inherit a mask that blocks the signals for which the
    program has a handler. A call cannot be stopped: a task that is cancelled before it raises
    {!Cancelled}; once the call has begun, [blocking] waits for it and returns its result, so that
    the result is not lost. What [f] prints with [Format] is flushed when it ends. Raises what [f]
    raises, with its backtrace. Outside a task it is just [f ()], also in a fiber of another
    scheduler: such schedulers have a function of their own for this.

    {[
    Drover.blocking (fun () -> Sys.command "true") = 0
    ]} *)

val wait_readable : Unix.file_descr -> unit
(** [wait_readable d] suspends the task, or blocks the thread, until reading from [d], or accepting
    a connection on it, would not block; the end of input and the closing of [d] count too. A task
    that is cancelled, before or meanwhile, raises {!Cancelled}, so {!Scope.with_timeout} limits the
    wait. Somebody else may read before the caller does, so it is best to make [d] non-blocking.
    While all workers compute, it may return up to a tenth of a second late. Raises
    [Unix.Unix_error] if [d] is already closed.

    {[
    let input, output = Unix.pipe () in
    let sent = Unix.write_substring output "hello" 0 5 in
    Drover.wait_readable input;
    Unix.read input (Bytes.create 5) 0 5 = sent
    ]} *)

val wait_writable : Unix.file_descr -> unit
(** [wait_writable d] is {!wait_readable}, for writing to [d].

    {[
    let _, output = Unix.pipe () in
    Drover.wait_writable output;
    Unix.write_substring output "hello" 0 5 = 5
    ]} *)

(** Values that belong to a task and to everything that it starts, such as a request's number or a
    logger. *)
module Local : sig
  type 'a t
  (** The type for keys of local values. *)

  val create : 'a -> 'a t
  (** [create v] is a key whose value is [v] wherever no other is set. From anywhere; never waits.

      {[
      let user = Drover.Local.create "nobody" in
      Drover.Local.get user = "nobody"
      ]} *)

  val get : 'a t -> 'a
  (** [get k] is the value of [k] here. From anywhere; never waits.

      {[
      let user = Drover.Local.create "nobody" in
      Drover.Local.(with_value user "ada" (fun () -> get user)) = "ada"
      ]} *)

  val with_value : 'a t -> 'a -> (unit -> 'b) -> 'b
  (** [with_value k v f] is [f ()], where [k] has the value [v], also in all forks, loops and tasks
      that [f] starts, on any pool and domain. Runs [f] as a task of the caller's pool, or of the
      default pool if the caller is not a task. Suspends or blocks until [f] has ended.

      {[
      let user = Drover.Local.create "nobody" in
      Drover.Local.with_value user "ada" (fun () ->
          Drover.both (fun () -> Drover.Local.get user) (fun () -> 7))
      = ("ada", 7)
      ]} *)
end

(** {1 Pools} *)

(** Sets of domains that run tasks. *)
module Pool : sig
  type t
  (** The type for pools. *)

  val create : ?name:string -> ?domains:int -> ?minor_heap_words:int -> ?adaptive:bool -> unit -> t
  (** [create ()] is a pool of [domains] workers: [domains - 1] domains of its own, and the domain
      of whoever calls {!run}; no more than OCaml allows, which is 128 unless [OCAMLRUNPARAM=d=...]
      says otherwise. The default is the value of the environment variable [DROVER_DOMAINS]. Without
      that, it is the smallest of these numbers: the processors that the affinity mask allows, the
      cgroup's CPU quota (rounded up), and the domains that OCaml has room for. When a domain cannot
      be spawned, the pool is smaller, and {!size} says so. [name] appears in error messages.

      [minor_heap_words] is the smallest minor heap of each worker's domain, in words. Without it,
      the minor heaps of a pool of several domains grow while minor collections are frequent, up to
      8M words (64 MB) each, or 64M words together if that is less; but each may have 1M words.

      When other programs compete for the processors, minor heaps grow sooner and further, as
      workers wait for each other at collections. And where they wait for each other at joins, fewer
      workers may get as much done as all of them: then some stand by when they have ended what they
      have begun; all are tried again within 1.6 s. More workers than processors have a domain, and
      work, only if tasks wait without the scheduler's knowing, for instance in a system call, while
      there is other work: then one more every 50 ms. Domains stay until the pool is closed. If
      [adaptive] is [false], all workers are always active, which is for measurements. The default
      is the value of the environment variable [DROVER_ADAPTIVE], or else [true]; on systems that do
      not report how long a thread waits for a processor, as Linux does, it is [false].

      From anywhere; does not wait for tasks. Raises [Invalid_argument] if [domains < 1] or
      [minor_heap_words < 1], or if [DROVER_DOMAINS] is needed and is not a positive number, or
      larger than what OCaml has room for.

      {[
      let pool = Drover.Pool.create ~domains:2 () in
      Fun.protect
        ~finally:(fun () -> Drover.Pool.close pool)
        (fun () -> Drover.Pool.run pool (fun () -> 6 * 7))
      = 42
      ]} *)

  val with_pool :
    ?name:string -> ?domains:int -> ?minor_heap_words:int -> ?adaptive:bool -> (t -> 'a) -> 'a
  (** [with_pool f] is [f p], where [p] is {!create}[ ()] with the same arguments, and is closed
      when [f] has returned or raised. [f] is no task of [p]: it starts them by {!run} and {!async}.
      From anywhere. Suspends or blocks until every task of [p] has ended, even if the caller is
      cancelled. Raises what [f] raises, with its backtrace, and what {!create} raises.

      {[
      let product pool = Drover.Pool.run pool (fun () -> 6 * 7) in
      Drover.Pool.with_pool ~domains:2 product = 42
      ]} *)

  val run : t -> (unit -> 'a) -> 'a
  (** [run p f] is [f ()], run as a task of [p]. From a task of [p] it is a plain call. Elsewhere it
      suspends or blocks until [f] has ended. Meanwhile one calling thread at a time lends its
      domain to [p], and begins with [f] at once; not if [p] is staffed (see {!staff}), nor if the
      caller is a fiber of another scheduler. Raises [Invalid_argument] if [p] is closed.

      {[
      Drover.Pool.run (Drover.Pool.default ()) (fun () -> 6 * 7) = 42
      ]} *)

  val async : t -> (unit -> 'a) -> 'a Promise.t
  (** [async p f] is {!val:async}[ f], run as a task of [p]. From anywhere; never waits. Raises
      [Invalid_argument] if [p] is closed.

      {[
      let pool = Drover.Pool.default () in
      Drover.await (Drover.Pool.async pool (fun () -> 6 * 7)) = 42
      ]} *)

  val staff : t -> unit
  (** [staff p] gives the caller's place in [p] to a domain of [p]'s own, for good. From then on,
      [p]'s tasks run only on [p]'s own domains, and whoever waits for them sleeps. It is for
      callers that must not compute, such as an event loop: their tasks would otherwise have one
      domain less than [size p]. Does nothing while another caller has the place, or if a domain
      cannot be spawned. From anywhere; never waits. Raises [Invalid_argument] if [p] is closed, and
      [Failure] if no domain can be spawned and [p] has none of its own.

      {[
      Drover.Pool.with_pool ~domains:2 (fun pool ->
          Drover.Pool.staff pool;
          Drover.Pool.run pool (fun () -> 6 * 7))
      = 42
      ]} *)

  val close : t -> unit
  (** [close p] suspends or blocks until every task of [p] has ended, and then joins [p]'s domains.
      A second call waits for the first. Raises [Invalid_argument] if called from a task of [p],
      which would wait for itself. In a cancelled fiber of another scheduler it raises without
      having waited: protect it from that scheduler's cancellation.

      {[
      let pool = Drover.Pool.create ~domains:1 () in
      Drover.Pool.close pool;
      try Drover.Pool.run pool (fun () -> false) with Invalid_argument _ -> true
      ]} *)

  val size : t -> int
  (** [size p] is the number of workers that [p] has obtained, including the caller's domain. Those
      that are more than the processors may have no domain yet (see {!create}).

      {[
      Drover.Pool.with_pool ~domains:2 Drover.Pool.size = 2
      ]} *)

  val name : t -> string
  (** [name p] is the name of [p].

      {[
      Drover.Pool.(with_pool ~name:"background" ~domains:1 name) = "background"
      ]} *)

  val current : unit -> t option
  (** [current ()] is the pool of the calling task, or [None] outside a task. Never waits.

      {[
      Option.map Drover.Pool.size (Drover.run ~domains:2 Drover.Pool.current) = Some 2
      ]} *)

  val default : unit -> t
  (** [default ()] is the pool that serves callers outside any pool. It is created on first use and
      closed at exit. At exit, the program waits for its tasks as long as at least one task starts
      or ends every second; tasks that are left then end with the program.

      {[
      Drover.Pool.size (Drover.Pool.default ()) >= 1
      ]} *)
end

(** {1 Batching} *)

(** Objects whose operations are applied in batches.

    A function that applies a whole batch of operations to a data structure is easier to write, and
    to make parallel, than operations that run side by side. A batch object makes such a function
    safe to use from any number of tasks, domains and systhreads that each submit single operations:
    it gathers the operations that are submitted while a batch runs, and applies them as the next
    batch.

    An operation is a plain value. It has what the function needs to know, and mutable fields for
    its result:

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

  val create :
    ?pool:Pool.t ->
    ?max:int ->
    ?applied:('op -> bool) ->
    ?one:('op -> bool) ->
    ('op array -> unit) ->
    'op t
  (** [create run] is an object that applies its operations with [run]. At most one call of [run] is
      in progress at a time. Each operation is in exactly one call, and a call gets between one and
      [max] (default: 256) operations, in the order of their arrival. [run] may use everything in
      this library, and may wait. It must not submit to the object itself, nor to an object whose
      function submits to this one, nor wait for what a submitter does after its operation has been
      applied. What [run] starts is part of the batch: the workers of a pool run parts of batches
      before other tasks. Neither the cancellation of a submitter nor its local values ({!Local})
      reach [run].

      If [run] raises, the operations of its batch fail, except those for which [applied] is [true]
      because they have their result (by default, none is). The object goes on with the next batch.
      If all operations have their result, the exception is reported like that of a task that nobody
      awaits. To make one operation fail alone, let [run] store an exception in a field of that
      operation, and let the submitter raise it.

      [one op], if given, applies an operation that finds the object idle in the place of
      [run [|op|]], and costs no more than what one does under a mutex. It is [true]; or it has done
      nothing, and is [false]: then [run] applies the operation. It is to be short and sequential,
      and not to wait: unlike [run], it is part of the submitter's task.

      If an operation finds the object idle, its caller applies it as a batch of one, without
      another task; and before it returns, the few that came meanwhile. Other batches run as tasks
      of [pool]; by default that is the pool of a task that submitted an operation, or
      {!Pool.default}. They start as soon as the batch before has ended, ahead of the pool's other
      work, which gets a turn when batches have gone first for five milliseconds. From anywhere;
      never waits. Raises [Invalid_argument] if [max < 1].

      {[
      let sum = ref 0 in
      let object_ = Drover.Batch.create (Array.iter (fun n -> sum := !sum + n)) in
      Drover.parallel_for ~start:1 ~finish:100 (Drover.Batch.submit object_);
      !sum = 5050
      ]} *)

  val submit : 'op t -> 'op -> unit
  (** [submit b op] applies [op], and returns when that is done. From any thread. Suspends or blocks
      while a batch runs that [op] is not in: at most for that batch, for batches full of earlier
      operations, and for its own.

      If the batch function raised and left [op] without a result, [submit] raises that exception
      with its backtrace. It raises {!Cancelled} if the calling task is cancelled before it waits.
      An operation that waits is applied in any case: a cancellation that comes later takes effect
      after [submit] has returned.

      Raises [Invalid_argument] if it would wait for ever because it is called from [b]'s own batch
      function, or from tasks that this has started. (If a thread outside any task runs the batch
      function, those tasks do wait for ever.) Raises [Invalid_argument] as well if it would wait in
      a finaliser, a signal handler or another callback that has interrupted a task.

      {[
      let op = { amount = 40; before = 0 } in
      Drover.Batch.submit account op;
      (op.before, add 2) = (0, 40)
      ]} *)

  type metrics = {
    batches : int;
    operations : int;
    sizes : int array;  (** [sizes.(i)] batches had [2{^i}] to [2{^i+1} - 1] operations *)
  }
  (** What an object has done so far. *)

  val metrics : 'op t -> metrics
  (** [metrics b] is what [b] has done so far. It is exact when no operation is in progress. From
      any thread; never waits.

      {[
      (Drover.Batch.metrics account).operations = 2
      ]} *)
end

(** {1 Observing}

    The scheduler writes user events to OCaml's Runtime_events, which cost next to nothing while
    nobody listens. The events of every program are:

    - [drover.task] and [drover.park], the spans in which a domain runs a task and sleeps;
    - [drover.steal] (the worker stolen from), [drover.suspend] and [drover.resume] (the number of
      the wait), [drover.batch] (the number of operations);
    - [drover.worker]: the domain becomes this worker, or with -1 ceases to be one;
    - [drover.pool.open] and [drover.pool.close] (the pool's size);
    - [drover.active]: how many workers of a pool are active from now on;
    - [drover.unserved]: for how many nanoseconds the workers of a pool, together, have waited for
      processors since the last such event;
    - [drover.standing]: what another domain does, told once a second while any worker comes by at a
      collection. Collections overwrite what that domain has told itself. The number is its ring, 14
      bits of its worker's number, and two bits: 1 in a task, 2 asleep, 0 neither.

    A program that was started with [OCAML_RUNTIME_EVENTS_START=1] also writes, without a value,

    - [drover.wait.WHAT] before a [drover.suspend]: for what the task waits;
    - [drover.site.SITE], with [DROVER_SITES=1]: where in the source the task, or the part of a loop
      or a fork, was started that begins here; then the events of waits end in [in SITE]. To find a
      site takes about as long as to start a task.

    A fork that stays private has no event. Readers get 32 bits of a number: a time of more than
    about two seconds is written as several events, to be added up. The commands [drover stat] and
    [drover trace] read all of them. *)

val named : string -> (unit -> 'a) -> 'a
(** [named name f] is [f ()], inside the span [drover.name.NAME] of the runtime events, where [NAME]
    is [name] or its first 100 characters. From any thread; costs little while nobody listens. If
    [f] suspends, the span ends there. The runtime never frees a name: the first thousand names of a
    program have spans of their own, and all others share [drover.name.others].

    {[
    Drover.named "parse" (fun () -> int_of_string "42") = 42
    ]} *)

module Scalability = Scalability
(** Work, span, and the speed-up that they allow. *)

(** {1 Algorithms}

    If you [open Drover], the modules {!Array}, {!List} and {!Seq} replace those of the standard
    library, and have all their functions: those with a parallel form in parallel, with the same
    type and result, and the others as they are. A search finds the first answer; only
    {!parallel_find_any} finds any. The exceptions: {!Array.shuffle} has another type; {!Array.iter}
    and the like call their function in any order and at the same time; and {!Seq.map} reads ahead,
    for one consumer. If you want the standard library's in the same file, write [Stdlib.List], or
    open {!Parallel} instead. *)

module Array = Arrays
module List = Lists
module Float_array = Float_arrays
module Bigarray1 = Bigarrays
module Text = Text
module Seq = Seqs
module Delayed = Delayed
module Bitset = Bitset
module Frontier = Frontier
module Rng = Rng

(** {1 Synchronisation}

    A task that waits here suspends, as does a fiber of another scheduler; a plain thread blocks.
    Tasks of any pools, fibers and threads may share one object. Waiters are served in order of
    arrival, and none is overtaken for ever. Every wait is a place where a task that is cancelled,
    before or meanwhile, raises {!Cancelled}. A wait that raises leaves nothing behind: no permit,
    lock or message is lost.

    If you [open Drover], these modules replace those of the standard library: its mutexes,
    condition variables and semaphores block a worker, and its lazy values raise when two domains
    force them at once. They have the same functions, but their types are their own: a [lazy e] is
    for [Stdlib.Lazy.force]. *)

module Chan = Chan
module Mutex = Locks.Mutex
module Condition = Conditions
module Rwlock = Locks.Rwlock

module Semaphore : sig
  (** @inline *)
  include module type of struct
    include Locks.Semaphore
  end

  val spawn : ?n:int -> t -> Scope.t -> (unit -> unit) -> unit
  (** [spawn ~n s scope f] takes [n] permits (default: 1), and then runs [f] as a task of [scope],
      as {!Scope.spawn} does. The permits are given back when the task ends, also if it was
      cancelled before it started: so no more tasks are spawned by way of [s] at a time than [s] has
      permits for. Suspends or blocks, and raises, as {!acquire} does. Raises [Invalid_argument] if
      [scope] has ended.

      {[
      let two = Drover.Semaphore.create 2 and n = Atomic.make 0 in
      Drover.Scope.run (fun scope ->
          for _ = 1 to 10 do
            Drover.Semaphore.spawn two scope (fun () -> Atomic.incr n)
          done);
      Atomic.get n = 10
      ]} *)
end

module Latch = Meetings.Latch
module Barrier = Meetings.Barrier
module Lazy = Lazy_value
module Memo = Memo
module Scratch = Scratch

(** {1 Generators, fibers, threads, signals}

    {b Generators.} An effect handler inside a task may capture a continuation and resume it later
    or in another task. Scopes and local values travel with the continuation. While the handler
    runs, the scopes in which the continuation was captured are suspended. Resuming re-enters them;
    from then on, cancelling the resumer cancels them too. A fork during which the continuation was
    captured is joined where the continuation is resumed. If the fork's other side fails in between,
    that cancels the code that goes on outside, too, until it resumes the continuation.

    {b Fibers of other schedulers.} A scheduler such as Eio's runs many fibers on one domain, and
    may provide domain-local-await. If it does, a call that would block the thread suspends the
    fiber instead, and the other fibers run. Such a fiber lends its domain to no pool: a pool that
    needs a domain in the caller's place spawns one, as {!Pool.staff} does. When the scheduler
    cancels the fiber, a wait raises the scheduler's exception and leaves nothing behind. A call
    that runs functions, such as {!both}, {!run} or {!Scope.run}, first cancels them, and raises
    when they have ended; a wait for a condition first locks the mutex again. Meanwhile the call
    blocks the thread, because a cancelled fiber cannot suspend. Signal handlers, finalisers and
    other threads of the domain always block their thread. Drover does not tell the fibers of one
    thread apart: a fiber that forces a lazy value from within the value's own computation waits for
    itself.

    {b Threads, signals, finalisers.} A systhread is not part of a task, even if a task created it.
    It belongs to the domain that created it, and a pool's domain ends only when its threads have
    ended: so {!Pool.close} and {!run} wait for threads that tasks have created. A signal handler, a
    finaliser or a Memprof callback may call any function that never waits, wherever it comes. It
    must not wait for anything of this library, nor raise in the middle of its functions. A handler
    that does raise, as that of [Sys.catch_break], fails the task whose own code it interrupts; if
    the main thread works or waits for a pool just then, it cancels the {!run}, which raises the
    exception when all has ended. No task, pool or domain is lost then; but what it strikes in the
    middle of a function such as {!Mutex.lock}, {!Chan.send} or {!Batch.submit} may stay locked, or
    be lost. {!Scope.run_until_signal} has no such moments. *)

(** {1 To open} *)

(** What programs use most, to be opened: [open Drover.Parallel] replaces nothing of the standard
    library, where [open Drover] replaces its [Array], [List], [Seq], [Mutex] and others. Each of
    the following is what has its name in [Drover]. *)
module Parallel : sig
  module Promise = Promise
  module Scope = Scope

  val run : ?domains:int -> (unit -> 'a) -> 'a
  val both : (unit -> 'a) -> (unit -> 'b) -> 'a * 'b
  val all : (unit -> 'a) list -> 'a list
  val async : (unit -> 'a) -> 'a Promise.t
  val await : 'a Promise.t -> 'a
  val parallel_for : ?grain:int -> start:int -> finish:int -> (int -> unit) -> unit
  val parallel_range : ?grain:int -> start:int -> finish:int -> (int -> int -> unit) -> unit

  val parallel_reduce :
    ?grain:int ->
    start:int ->
    finish:int ->
    init:'a ->
    combine:('a -> 'a -> 'a) ->
    (int -> 'a) ->
    'a

  val parallel_reduce_range :
    ?grain:int ->
    start:int ->
    finish:int ->
    init:'a ->
    combine:('a -> 'a -> 'a) ->
    (int -> int -> 'a) ->
    'a

  val parallel_fold :
    ?grain:int ->
    start:int ->
    finish:int ->
    make:(unit -> 'acc) ->
    merge:('acc -> 'acc -> 'acc) ->
    ('acc -> int -> 'acc) ->
    'acc

  val parallel_fold_range :
    ?grain:int ->
    start:int ->
    finish:int ->
    make:(unit -> 'acc) ->
    merge:('acc -> 'acc -> 'acc) ->
    ('acc -> int -> int -> 'acc) ->
    'acc

  val parallel_collect :
    ?grain:int -> start:int -> finish:int -> (int -> ('a -> unit) -> unit) -> 'a array

  val parallel_find_any : ?grain:int -> start:int -> finish:int -> (int -> 'a option) -> 'a option
  val parallel_find_first : start:int -> finish:int -> (int -> 'a option) -> 'a option
end
