(** Counters.

    A single operation is one instruction of the processor, so nothing is gathered; what is handed
    in together is added in one such step, and each addition learns what the counter was before it.

    Linearizable, a batch in its order. From any thread. Nothing waits, but for the parallel work on
    long batches. A counter that nobody needs the intermediate values of is better off as a
    [parallel_reduce].

    Bounds: a single operation takes O(1). A batch of b operations has work O(b) and span O(log b):
    the scan of Blelloch, {e Prefix Sums and Their Applications} (1990). *)

type t
(** The type for counters. *)

val create : int -> t
(** [create n] is a counter that stands at [n]. *)

(** {1 One operation} *)

val get : t -> int
(** [get t] is where [t] stands. *)

val incr : t -> unit
(** [incr t] adds one. *)

val add : t -> int -> int
(** [add t n] adds [n], and is where [t] stood before. *)

val update : t -> (int -> int) -> int
(** [update t f] replaces the number [n] at which [t] stands by [f n], in one step, and is [n].
    Where others change [t] meanwhile, [f] is called again. If [f] raises, [t] stays. *)

(** {1 Many} *)

val add_all : t -> int array -> int array
(** [add_all t amounts] adds them as one batch; the results are those of {!add}. *)

type op
(** The type for additions, as values. *)

val add_op : int -> op
(** [add_op n] is {!add}. *)

val result : op -> int
(** [result op] is where the counter stood before [op], which was applied last. Raises
    [Invalid_argument] if [op] has not been applied. *)

val apply : t -> op array -> unit
(** [apply t ops] applies a batch in its order. An operation is in one batch at a time. *)
