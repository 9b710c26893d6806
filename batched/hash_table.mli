(** Hash tables.

    Bindings are in buckets, by the bits of a hash. The operations of a batch are sorted by regions
    of buckets, which are dealt with in parallel; the table grows, in parallel too, before a batch
    that may need it.

    Linearizable, in the order of a batch. An operation for which [hash], [equal] or the user's
    function raises fails alone, and changes nothing. From any thread; suspends or blocks while a
    batch runs. What the user gives must not use the table itself.

    Bounds are expected ones, if the hash is good. A batch of b operations has work O(b), and span
    O(log b) and b / 256 steps; operations on one key come one after the other. *)

type ('k, 'v) t
(** The type for tables from ['k] to ['v]. *)

val create :
  ?pool:Drover.Pool.t -> hash:('k -> int) -> equal:('k -> 'k -> bool) -> unit -> ('k, 'v) t
(** [create ~hash ~equal ()] is a table without bindings. Keys that are [equal] have the same
    [hash], of which every bit may matter. [pool] is where batches run (default: where their
    operations come from). *)

(** {1 One binding} *)

val find : ('k, 'v) t -> 'k -> 'v option
(** [find t k] is what [k] is bound to. O(1). *)

val mem : ('k, 'v) t -> 'k -> bool
(** [mem t k] is [true] iff [k] is bound. O(1). *)

val insert : ('k, 'v) t -> 'k -> 'v -> unit
(** [insert t k v] binds [k] to [v], whatever it is bound to. O(1), amortized. *)

val add : ('k, 'v) t -> 'k -> 'v -> bool
(** [add t k v] binds [k] to [v] if it is not bound, and is [true] iff it was not. O(1), amortized.
*)

val delete : ('k, 'v) t -> 'k -> bool
(** [delete t k] removes the binding of [k], and is [true] iff there was one. O(1). *)

val update : ('k, 'v) t -> 'k -> ('v option -> 'v option) -> unit
(** [update t k f] replaces the binding of [k] by what [f] makes of it, in one step. O(1),
    amortized. *)

(** {1 Many} *)

val insert_all : ('k, 'v) t -> ('k * 'v) array -> unit
(** [insert_all t bindings] inserts them as one batch; of several for one key, the last stays. *)

val delete_all : ('k, 'v) t -> 'k array -> unit
(** [delete_all t keys] deletes them as one batch. *)

val find_all : ('k, 'v) t -> 'k array -> 'v option array
(** [find_all t keys] is what the keys are bound to, as one batch. *)

val apply : ('k, 'v) t -> ('k, 'v) Op.t array -> unit
(** [apply t ops] applies a batch in its order; [Op.result] then tells the result of each. An
    operation that fails does not make [apply] fail. *)

(** {1 Looking} *)

val length : ('k, 'v) t -> int
(** [length t] is the number of bindings. O(1). *)

val to_array : ('k, 'v) t -> ('k * 'v) array
(** [to_array t] is a snapshot: the bindings of one moment, in no particular order. Work O(n), span
    O(log n) after a copy of the table without its bindings. *)

val iter : ('k -> 'v -> unit) -> ('k, 'v) t -> unit
(** [iter f t] is [f k v] for each binding of a snapshot, one after the other. [f] may use [t]. *)

val validate : ('k, 'v) t -> unit
(** [validate t] raises [Failure] if [t] breaks a rule of its representation, which is an error of
    this library unless [hash] or [equal] is inconsistent. For tests. O(n). *)

val batch_sizes : ('k, 'v) t -> int array
(** [(batch_sizes t).(i)] is how many batches have had 2{^ i} to 2{^ i+1} - 1 operations, where a
    batch that was handed in counts as one operation. Exact when no operation is in progress. Never
    waits. *)
