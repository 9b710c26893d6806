(** Hash tables.

    The bindings are in 32 segments, or four for each processor if those are more, by the bits of a
    hash. A single operation reads the bucket of its key, finds out what becomes of it, and replaces
    the bucket in one step, or begins again if another was faster. So it never waits for other
    single operations, whatever the functions that you pass do. A batch closes the segments of its
    keys, and processes them in parallel; segments grow one by one.

    Linearizable; a batch takes effect in its order. An operation for which [hash], [equal] or your
    function raises fails alone, and changes nothing. From any thread; suspends or blocks while a
    batch uses the segment, and single operations are batches where too many change a bucket at
    once. The functions that you pass must not use the table itself.

    Bounds are expected ones, for a good hash. A batch of b operations has work O(b) and span O(log
    b) plus b over the number of segments; operations on one key come one after the other. *)

type ('k, 'v) t
(** The type for tables from ['k] to ['v]. *)

val create :
  ?pool:Drover.Pool.t -> hash:('k -> int) -> equal:('k -> 'k -> bool) -> unit -> ('k, 'v) t
(** [create ~hash ~equal ()] is an empty table. [equal] keys must have the same [hash], every bit of
    which may matter. [pool] runs the batches (default: the pool that the operations come from).
    From anywhere; never waits. *)

(** {1 Single bindings} *)

val find : ('k, 'v) t -> 'k -> 'v option
(** [find t k] is the value that [k] is bound to, if any. O(1). *)

val mem : ('k, 'v) t -> 'k -> bool
(** [mem t k] is [true] iff [k] is bound. O(1). *)

val insert : ('k, 'v) t -> 'k -> 'v -> unit
(** [insert t k v] binds [k] to [v], replacing any binding of [k]. O(1), amortised. *)

val add : ('k, 'v) t -> 'k -> 'v -> bool
(** [add t k v] binds [k] to [v] if [k] is not bound, and is [true] iff it was not. O(1), amortised.
*)

val delete : ('k, 'v) t -> 'k -> bool
(** [delete t k] removes the binding of [k], and is [true] iff there was one. O(1). *)

val update : ('k, 'v) t -> 'k -> ('v option -> 'v option) -> unit
(** [update t k f] replaces the binding of [k] by what [f] returns for it, atomically. If others
    change the bucket meanwhile, [f] is called again, for the new binding. O(1), amortised. *)

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
(** [length t] is the number of bindings. O(1): a batch that closes all segments. *)

val to_array : ('k, 'v) t -> ('k * 'v) array
(** [to_array t] is the array of the bindings at one moment, in no particular order. Work O(n), span
    O(log n) after a copy of the table without its bindings. *)

val iter : ('k -> 'v -> unit) -> ('k, 'v) t -> unit
(** [iter f t] calls [f k v] for each binding of a snapshot, one after the other. [f] may use [t].
*)

val validate : ('k, 'v) t -> unit
(** [validate t] raises [Failure] if [t] breaks an invariant of its representation, which is a bug
    in this library unless [hash] or [equal] is inconsistent. For tests. O(n). *)

val batch_sizes : ('k, 'v) t -> int array
(** [(batch_sizes t).(i)] is the number of batches so far with 2{^ i} to 2{^ i+1} - 1 operations,
    where a batch that a caller submitted counts as one operation, and single operations that needed
    no batch do not count. Exact when no operation is in progress. Never waits. *)
