(** Ordered maps as skip lists.

    They do what {!Ordered_map} does without balancing: an insertion allocates one tower and nothing
    else, but every operation, also a look, goes through the batch, and a snapshot is a copy. Pugh,
    {e Skip Lists: A Probabilistic Alternative to Balanced Trees} (CACM 33(6), 1990).

    Linearizable, in the order of a batch. An operation for which the comparison or the user's
    function raises fails alone, and changes nothing. From any thread; suspends or blocks while a
    batch runs. What the user gives must not use the list itself.

    Bounds are expected ones for n bindings. A batch of b operations is sorted; then the list is cut
    and dealt with in parallel, from left to right in each part: work O(b log n), less for
    neighbours, span O(log{^ 3} b + log b log n); operations on one key come one after the other. *)

type ('k, 'v) t
(** The type for maps from ['k] to ['v]. *)

val create : ?pool:Drover.Pool.t -> ('k -> 'k -> int) -> ('k, 'v) t
(** [create compare] is a map without bindings. [compare] orders the keys, as for [List.sort].
    [pool] is where batches run (default: where their operations come from). *)

(** {1 One binding} *)

val find : ('k, 'v) t -> 'k -> 'v option
(** [find t k] is what [k] is bound to. O(log n). *)

val mem : ('k, 'v) t -> 'k -> bool
(** [mem t k] is [true] iff [k] is bound. O(log n). *)

val insert : ('k, 'v) t -> 'k -> 'v -> unit
(** [insert t k v] binds [k] to [v], whatever it is bound to. O(log n). *)

val add : ('k, 'v) t -> 'k -> 'v -> bool
(** [add t k v] binds [k] to [v] if it is not bound, and is [true] iff it was not. O(log n). *)

val delete : ('k, 'v) t -> 'k -> bool
(** [delete t k] removes the binding of [k], and is [true] iff there was one. O(log n). *)

val update : ('k, 'v) t -> 'k -> ('v option -> 'v option) -> unit
(** [update t k f] replaces the binding of [k] by what [f] makes of it, in one step. O(log n). *)

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
(** [to_array t] is a snapshot: the bindings of one moment, in increasing order. O(n). *)

val range : ('k, 'v) t -> lo:'k -> hi:'k -> ('k * 'v) array
(** [range t ~lo ~hi] is the bindings with keys from [lo] to [hi], both included, of one moment.
    O(log n) and the length of the result. *)

val iter : ('k -> 'v -> unit) -> ('k, 'v) t -> unit
(** [iter f t] is [f k v] for each binding of a snapshot, in increasing order. [f] may use [t]. *)

val validate : ('k, 'v) t -> unit
(** [validate t] raises [Failure] if [t] breaks a rule of its representation, which is an error of
    this library unless the comparison is inconsistent. For tests. O(n). *)

val batch_sizes : ('k, 'v) t -> int array
(** [(batch_sizes t).(i)] is how many batches have had 2{^ i} to 2{^ i+1} - 1 operations, where a
    batch that was handed in counts as one operation. Exact when no operation is in progress. Never
    waits. *)
