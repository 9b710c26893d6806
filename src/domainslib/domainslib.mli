(** Domainslib's programming interface, on Drover.

    To move a program from {{:https://github.com/ocaml-multicore/domainslib} Domainslib} to Drover,
    replace [domainslib] by [drover.domainslib] in its dune file. This module has every value of
    Domainslib 0.5.2, with the same type and meaning. Where Domainslib crashes, hangs or loses an
    exception, this module does what the program must have meant; the values concerned say so. A
    program cannot link both libraries.

    A function that waits {e suspends} its task; outside a task it {e blocks} the calling thread,
    without using its processor. Unlike Domainslib's, every function may be called from anywhere:
    outside {!Task.run}, from a task of another pool, from any domain or systhread. *)

(** Pools, promises and loops. *)
module Task : sig
  type 'a task = unit -> 'a
  (** The type for tasks. *)

  type !'a promise
  (** The type for promises of values of type ['a]. *)

  type pool
  (** The type for pools. *)

  (** {1 Pools} *)

  val setup_pool : ?name:string -> num_domains:int -> unit -> pool
  (** [setup_pool ~num_domains ()] is a pool of [num_domains] domains {e besides} that of whoever
      calls {!run}. When OCaml has no room for that many, the pool is smaller, and
      {!get_num_domains} says so. {!lookup_pool} finds a pool with a [name] until it is torn down; a
      later pool of the same name hides it. Never waits for tasks. Raises [Invalid_argument] if
      [num_domains < 0].

      A pool without domains runs its tasks on the domain that calls {!run}. If tasks are left while
      nobody is in {!run}, the pool gets a domain for them; Domainslib never runs them. *)

  val teardown_pool : pool -> unit
  (** [teardown_pool p] suspends or blocks until every task of [p] has ended, and joins [p]'s
      domains. From then on, all functions that take [p] raise [Invalid_argument], including this
      one. Raises [Invalid_argument] from a task of [p], where Domainslib hangs. Domainslib also
      loses tasks that have not started, or makes {!run} fail. *)

  val lookup_pool : string -> pool option
  (** [lookup_pool name] is the pool that is called [name], if there is one. Never waits. *)

  val get_num_domains : pool -> int
  (** [get_num_domains p] is the number of domains that [p] has obtained, including the caller's.
      Never waits. Raises [Invalid_argument] if [p] is torn down. *)

  val run : pool -> 'a task -> 'a
  (** [run p f] is [f ()], run as a task of [p]. From a task of [p] it is a plain call, where
      Domainslib fails. Elsewhere it suspends or blocks until [f] has ended. Outside a task, the
      calling domain begins with [f] at once, works for [p] until [f] has ended, and sleeps when
      there is nothing to do, where Domainslib spins. Tasks that [f] has started and not awaited may
      still run afterwards. [f] must handle the effects that it performs. Raises [Invalid_argument]
      if [p] is torn down. *)

  (** {1 Promises} *)

  val async : pool -> 'a task -> 'a promise
  (** [async p f] is a promise for [f ()], which runs as a task of [p]. Never waits. {!await} raises
      a failure of [f]; a failure that nobody awaits is reported (see
      [Drover.Promise.on_unawaited_failure]), where Domainslib loses it. Raises [Invalid_argument]
      if [p] is torn down. *)

  val await : pool -> 'a promise -> 'a
  (** [await p r] is the value of [r]; suspends or blocks until there is one. If the task raised,
      raises its exception with its backtrace. Raises [Invalid_argument] if [p] is torn down. The
      promise may belong to another pool. *)

  val promise : unit -> 'a promise * ('a -> unit)
  (** [promise ()] is a fresh promise and the function that gives it its value. That function may be
      called once, from any thread; a second call raises [Failure]. Never waits. From
      koonwen/domainslib. *)

  (** {1 Loops}

      Bounds are inclusive, as in [for]. An interval is halved down to pieces of at most
      [chunk_size] iterations, as in Domainslib; a piece is a plain loop. Without a chunk size, or
      if it is not positive, Drover chooses the pieces, which get smaller towards the end; in
      Domainslib, and in {!parallel_for_reduce}, each is an eighth of a domain's share. The order of
      iterations is arbitrary. When one raises, pieces that have not started are skipped, and the
      first exception is raised with its backtrace once all others have ended; Domainslib raises at
      once, while the rest goes on. All loops suspend or block until they have ended, and raise
      [Invalid_argument] if the pool is torn down. *)

  val parallel_for :
    ?chunk_size:int -> start:int -> finish:int -> body:(int -> unit) -> pool -> unit
  (** [parallel_for ~start ~finish ~body p] is [for i = start to finish do body i done], in
      parallel. Work: the sum of all iterations; span: O(log n) plus the longest piece. *)

  val parallel_for_reduce :
    ?chunk_size:int ->
    start:int ->
    finish:int ->
    body:(int -> 'a) ->
    pool ->
    ('a -> 'a -> 'a) ->
    'a ->
    'a
  (** [parallel_for_reduce ~start ~finish ~body p combine init] is [init] combined with
      [body start], ..., [body finish] in this order. [combine] must be associative, and need not be
      commutative; [init] is used once, at the left. The values are grouped as in Domainslib, which
      depends on the interval, [chunk_size] and the size of the pool: so sums of floats are the same
      at each run, and the same as Domainslib's. Work and span of {!parallel_for}. *)

  val parallel_scan : pool -> ('a -> 'a -> 'a) -> 'a array -> 'a array
  (** [parallel_scan p op a] is the array of [a.(0)], [op a.(0) a.(1)], and so on: each element
      combined with all before it. [op] must be associative, and need not be commutative. The array
      is cut into as many parts as the pool has domains, as in Domainslib: so scans of floats are
      the same at each run with a pool of that size. Work: 2n calls of [op] at most; span: 2n/d + d
      for d domains. *)

  val parallel_find :
    ?chunk_size:int -> start:int -> finish:int -> body:(int -> 'a option) -> pool -> 'a option
  (** [parallel_find ~start ~finish ~body p] is [body i] for some [i] where it is not [None], if
      there is one; it need not be the smallest such [i]. No iteration starts after that. *)
end

(** Channels.

    A task that waits at a channel suspends, and its domain runs other tasks. Domainslib blocks the
    domain, and hangs when all of a pool's domains wait. *)
module Chan : sig
  type !'a t
  (** The type for channels of messages of type ['a]. *)

  val make_bounded : int -> 'a t
  (** [make_bounded n] is a channel that holds up to [n] messages. With [n = 0], {!send} waits until
      the message is received. Raises [Invalid_argument] if [n < 0]. *)

  val make_unbounded : unit -> 'a t
  (** [make_unbounded ()] is a channel that holds any number of messages. *)

  val send : 'a t -> 'a -> unit
  (** [send c v] sends [v]. Suspends or blocks while [c] is full. *)

  val send_poll : 'a t -> 'a -> bool
  (** [send_poll c v] sends [v] and is [true] if that is possible without waiting, and is [false]
      otherwise. Never waits. *)

  val recv : 'a t -> 'a
  (** [recv c] is the oldest message of [c]. Suspends or blocks until there is one. *)

  val recv_poll : 'a t -> 'a option
  (** [recv_poll c] is the oldest message of [c], if there is one. Never waits. *)
end

(** Data structures that apply operations in batches, as in koonwen/domainslib: from an operation on
    whole batches, [run], to one on single operations, [apply]. *)
module Batcher : sig
  (** Structures. *)
  module type S = sig
    type t
    (** The type for structures. *)

    type 'a op
    (** The type for operations with a result of type ['a]. *)

    type wrapped_op =
      | Mk : 'a op * ('a -> unit) -> wrapped_op
          (** An operation, and the function to call once with its result. *)

    val init : unit -> t
    (** [init ()] is a new structure. *)

    val run : t -> Task.pool -> wrapped_op array -> unit
    (** [run s pool ops] applies [ops] to [s], on [pool] where it is parallel. At most one call on
        [s] is in progress at a time. *)
  end

  (** Structures with elements of any type. *)
  module type S1 = sig
    type 'a t
    (** The type for structures with elements of type ['a]. *)

    type ('a, 'b) op
    (** The type for operations on ['a t] with a result of type ['b]. *)

    type 'a wrapped_op = Mk : ('a, 'b) op * ('b -> unit) -> 'a wrapped_op  (** As in {!S}. *)

    val init : unit -> 'a t
    (** [init ()] is a new structure. *)

    val run : 'a t -> Task.pool -> 'a wrapped_op array -> unit
    (** As in {!S}. *)
  end

  (** [Make (S)] is [S] with single operations, from any thread. *)
  module Make : functor (S : S) -> sig
    type t
    (** The type for structures that apply their operations in batches. *)

    type 'a op = 'a S.op
    (** The type for operations. *)

    val init : Task.pool -> t
    (** [init pool] is a new structure whose batches run on [pool]. Raises [Invalid_argument] if
        [pool] is torn down. *)

    val apply : t -> 'a op -> 'a
    (** [apply b op] is the result of [op]. Suspends or blocks until the batch of [op] has ended;
        the original returns as soon as [S.run] has passed on the result, which may be before it has
        done the work. Raises what [S.run] raised, if it did so before it passed on the result of
        [op]; in the original, the structure then hangs. Must not be called from [S.run] on [b]
        itself. *)

    val unsafe_get_internal_data : t -> S.t
    (** [unsafe_get_internal_data b] is the structure itself, for use while no operation is in
        progress. *)

    val unsafe_set_internal_data : t -> S.t -> unit
    (** [unsafe_set_internal_data b s] replaces the structure by [s], for use while no operation is
        in progress. *)
  end

  (** [Make1 (S)] is the same for elements of any type. *)
  module Make1 : functor (S : S1) -> sig
    type 'a t
    (** The type for structures that apply their operations in batches. *)

    type ('a, 'b) op = ('a, 'b) S.op
    (** The type for operations. *)

    val init : Task.pool -> 'a t
    (** As in {!Make}. *)

    val apply : 'a t -> ('a, 'b) op -> 'b
    (** As in {!Make}. *)

    val unsafe_get_internal_data : 'a t -> 'a S.t
    (** As in {!Make}. *)

    val unsafe_set_internal_data : 'a t -> 'a S.t -> unit
    (** As in {!Make}. *)
  end
end
