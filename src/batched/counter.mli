(** Counters.

    A single operation is one atomic instruction, so operations are not gathered. A batch that you
    submit is added in one such instruction, and each of its additions gets the value before it.

    Linearizable; a batch takes effect in its order. From any thread. Never waits, except for the
    parallel work on long batches. If nobody needs the intermediate values, use [parallel_reduce]
    instead.

    Bounds: a single operation takes O(1). A batch of b operations has work O(b) and span O(log b):
    the scan of Blelloch, {e Prefix Sums and Their Applications} (1990). *)

type t
(** The type for counters. *)

val create : int -> t
(** [create n] is a counter with the value [n]. *)

(** {1 Single operations} *)

val get : t -> int
(** [get t] is the value of [t]. *)

val incr : t -> unit
(** [incr t] adds one. *)

val add : t -> int -> int
(** [add t n] adds [n], and is the value of [t] before. *)

val update : t -> (int -> int) -> int
(** [update t f] replaces the value [n] of [t] by [f n], atomically, and is [n]. If others change
    [t] meanwhile, [f] is called again. Raises what [f] raises; then [t] is unchanged. *)

(** {1 Many operations} *)

val add_all : t -> int array -> int array
(** [add_all t amounts] adds [amounts] as one batch, and is the array of the results of {!add}. *)
