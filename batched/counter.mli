(** Counters.

    Additions that come together are one batch, which is a sum of prefixes: each learns what the
    counter was before it. Reading needs no batch.

    Linearizable, in the order of a batch. From any thread; what changes the counter suspends or
    blocks while a batch runs. A counter that nobody needs the intermediate values of is better off
    as a [parallel_reduce], and one that is changed seldom as an [Atomic.t].

    Bounds: a single operation takes O(1). A batch of b operations has work O(b) and span O(log b):
    the scan of Blelloch, {e Prefix Sums and Their Applications} (1990). *)

type t
(** The type for counters. *)

val create : ?pool:Drover.Pool.t -> int -> t
(** [create n] is a counter that stands at [n]. [pool] is where batches run (default: where their
    operations come from). *)

(** {1 One operation} *)

val get : t -> int
(** [get t] is where [t] stands. Never waits. *)

val incr : t -> unit
(** [incr t] adds one. *)

val add : t -> int -> int
(** [add t n] adds [n], and is where [t] stood before. *)

val update : t -> (int -> int) -> int
(** [update t f] replaces the number [n] at which [t] stands by [f n], in one step, and is [n]. If
    [f] raises, [t] stays. [f] must not change [t]. *)

(** {1 Many} *)

val add_all : t -> int array -> int array
(** [add_all t amounts] adds them as one batch; the results are those of {!add}. *)

type op
(** The type for additions, as values. *)

val add_op : int -> op
(** [add_op n] is {!add}. *)

val result : op -> int
(** [result op] is where the counter stood before [op]. Raises [Invalid_argument] if [op] has not
    been applied. *)

val apply : t -> op array -> unit
(** [apply t ops] applies a batch in its order. *)

(** {1 Looking} *)

val batch_sizes : t -> int array
(** [(batch_sizes t).(i)] is how many batches have had 2{^ i} to 2{^ i+1} - 1 operations, where a
    batch that was handed in counts as one operation. Exact when no operation is in progress. Never
    waits. *)
