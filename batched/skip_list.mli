(** Ordered maps as skip lists.

    They have the functions of {!Ordered_map}, without balancing: an insertion allocates one tower
    and nothing else. But every operation goes through the batch, even a look-up, and a snapshot is
    a copy. Pugh, {e Skip Lists: A Probabilistic Alternative to Balanced Trees} (CACM 33(6), 1990).

    Linearizable; a batch takes effect in its order. An operation for which the comparison or your
    function raises fails alone, and changes nothing. From any thread; suspends or blocks while a
    batch runs. The functions that you pass must not use the list itself.

    Bounds are expected ones for n bindings. A batch of b operations is sorted; then the list is cut
    into parts that are processed in parallel, each from left to right. Work O(b log n), less for
    neighbouring keys; span O(log{^ 3} b + log b log n). Operations on one key come one after the
    other. *)

type ('k, 'v) t
(** The type for maps from ['k] to ['v]. *)

val create : ?pool:Drover.Pool.t -> ('k -> 'k -> int) -> ('k, 'v) t
(** [create compare] is an empty map. [compare] orders the keys, as in [List.sort]. [pool] runs the
    batches (default: the pool that the operations come from). From anywhere; never waits. *)

(** {1 Single bindings} *)

val find : ('k, 'v) t -> 'k -> 'v option
(** [find t k] is the value that [k] is bound to, if any. O(log n). *)

val mem : ('k, 'v) t -> 'k -> bool
(** [mem t k] is [true] iff [k] is bound. O(log n). *)

val insert : ('k, 'v) t -> 'k -> 'v -> unit
(** [insert t k v] binds [k] to [v], replacing any binding of [k]. O(log n). *)

val add : ('k, 'v) t -> 'k -> 'v -> bool
(** [add t k v] binds [k] to [v] if [k] is not bound, and is [true] iff it was not. O(log n). *)

val delete : ('k, 'v) t -> 'k -> bool
(** [delete t k] removes the binding of [k], and is [true] iff there was one. O(log n). *)

val update : ('k, 'v) t -> 'k -> ('v option -> 'v option) -> unit
(** [update t k f] replaces the binding of [k] by what [f] returns for it, atomically. O(log n). *)

(** {1 Many operations} *)

val insert_all : ('k, 'v) t -> ('k * 'v) array -> unit
(** [insert_all t bindings] inserts [bindings] as one batch; of several for one key, the last
    counts. *)

val delete_all : ('k, 'v) t -> 'k array -> unit
(** [delete_all t keys] deletes [keys] as one batch. *)

val find_all : ('k, 'v) t -> 'k array -> 'v option array
(** [find_all t keys] is the array of what [keys] are bound to, found as one batch. *)

val apply : ('k, 'v) t -> ('k, 'v) Op.t array -> unit
(** [apply t ops] applies [ops] as one batch, in order; [Op.result] then returns the result of each.
    An operation that fails does not make [apply] fail. *)

(** {1 The whole structure} *)

val length : ('k, 'v) t -> int
(** [length t] is the number of bindings. O(1). *)

val to_array : ('k, 'v) t -> ('k * 'v) array
(** [to_array t] is the array of the bindings at one moment, in increasing order. O(n). *)

val range : ('k, 'v) t -> lo:'k -> hi:'k -> ('k * 'v) array
(** [range t ~lo ~hi] is the array of the bindings with keys from [lo] to [hi], both included, at
    one moment. O(log n) plus the length of the result. *)

val iter : ('k -> 'v -> unit) -> ('k, 'v) t -> unit
(** [iter f t] calls [f k v] for each binding of a snapshot, in increasing order. [f] may use [t].
*)

val validate : ('k, 'v) t -> unit
(** [validate t] raises [Failure] if [t] breaks an invariant of its representation, which is a bug
    in this library unless the comparison is inconsistent. For tests. O(n). *)

val batch_sizes : ('k, 'v) t -> int array
(** [(batch_sizes t).(i)] is the number of batches so far with 2{^ i} to 2{^ i+1} - 1 operations,
    where a batch that a caller submitted counts as one operation. Exact when no operation is in
    progress. Never waits. *)
