(** Ordered maps that any number of tasks, domains and systhreads may use at once.

    The map is a mutable cell that holds a {!Tree_map}. A single operation makes a new tree, which
    shares all but the nodes on the way to the key, and puts it in the place of the old one, if no
    other was faster; otherwise it begins again. Those that were too slow several times are gathered
    into a [Drover.Batch]. A batch is sorted by key and applied in parallel, and changes in place
    the nodes that batches have made; a {!snapshot} ends that, so that it does not change. Looking
    up one key never waits, whatever changes meanwhile.

    Linearizable: operations on one key take effect in the order of their batch, and a function on
    the whole map sees all of a batch or nothing. If the comparison or your function raises for an
    operation, that operation fails alone. Neither may use the map. From any thread; all functions
    but {!find} and {!mem} suspend or block while a batch runs.

    Bounds are for n bindings. A batch of b operations has work O(b log b + b log (n/b + 1)) and
    span O(log{^ 3} b + log b log n), see {!Tree_map.apply}; a single operation takes O(log n), and
    as much again each time that another was faster. *)

type ('k, 'v) t
(** The type for maps from ['k] to ['v]. *)

val create : ?pool:Drover.Pool.t -> ('k -> 'k -> int) -> ('k, 'v) t
(** [create compare] is an empty map. [compare] orders the keys, as in [List.sort]. [pool] runs the
    batches (default: the pool that the operations come from). From anywhere; never waits. *)

val of_snapshot : ?pool:Drover.Pool.t -> ('k, 'v) Tree_map.t -> ('k, 'v) t
(** [of_snapshot m] is a map with the bindings and the comparison of [m]. O(1). *)

(** {1 Single bindings} *)

val find : ('k, 'v) t -> 'k -> 'v option
(** [find t k] is the value that [k] is bound to, if any. Never waits. *)

val mem : ('k, 'v) t -> 'k -> bool
(** [mem t k] is [true] iff [k] is bound. Never waits. *)

val insert : ('k, 'v) t -> 'k -> 'v -> unit
(** [insert t k v] binds [k] to [v], replacing any binding of [k]. *)

val add : ('k, 'v) t -> 'k -> 'v -> bool
(** [add t k v] binds [k] to [v] if [k] is not bound, and is [true] iff it was not. *)

val delete : ('k, 'v) t -> 'k -> bool
(** [delete t k] removes the binding of [k], and is [true] iff there was one. *)

val update : ('k, 'v) t -> 'k -> ('v option -> 'v option) -> unit
(** [update t k f] replaces the binding of [k] by what [f] returns for it, atomically. If another
    operation was faster, [f] is called again, for the binding of then. [f] must not use [t]. *)

(** {1 Many operations} *)

val insert_all : ('k, 'v) t -> ('k * 'v) array -> unit
(** [insert_all t bindings] inserts [bindings] as one batch; of several for one key, the last
    counts. *)

val delete_all : ('k, 'v) t -> 'k array -> unit
(** [delete_all t keys] deletes [keys] as one batch. *)

val find_all : ('k, 'v) t -> 'k array -> 'v option array
(** [find_all t keys] is the array of what [keys] are bound to, all at one moment. *)

val apply : ('k, 'v) t -> ('k, 'v) Op.t array -> unit
(** [apply t ops] applies [ops] as one batch, in order; [Op.result] then returns the result of each.
    An operation that fails does not make [apply] fail. A {!find} or {!mem} that runs at the same
    time, and another single operation that changes nothing, may see some operations of the batch
    before others. *)

val modify : ('k, 'v) t -> (('k, 'v) Tree_map.t -> ('k, 'v) Tree_map.t * 'a) -> 'a
(** [modify t f] applies [f] to the bindings, replaces them by the map that [f] returns, atomically,
    and is the second value that [f] returns. For instance,
    [modify t (fun m -> (Tree_map.union pick m other, ()))] adds the bindings of [other], and
    [modify t (fun m -> let before, _, after = Tree_map.split m k in (before, after))] removes and
    returns the bindings after [k]. Raises what [f] raises; then [t] is unchanged. [f] must not use
    [t]. *)

(** {1 The whole structure} *)

val snapshot : ('k, 'v) t -> ('k, 'v) Tree_map.t
(** [snapshot t] is an immutable map of the bindings of this moment. O(1); afterwards each node is
    copied when it is changed for the first time. *)

val length : ('k, 'v) t -> int
(** [length t] is the number of bindings. O(1). *)

val range : ('k, 'v) t -> lo:'k -> hi:'k -> ('k, 'v) Tree_map.t
(** [range t ~lo ~hi] is the map of the bindings of a snapshot with keys from [lo] to [hi], both
    included. O(log n). *)

val iter : ('k -> 'v -> unit) -> ('k, 'v) t -> unit
(** [iter f t] calls [f k v] for each binding of a snapshot, in increasing order. [f] may use [t].
*)

val validate : ('k, 'v) t -> unit
(** [validate t] is {!Tree_map.validate} of the current bindings. For tests. O(n). *)

val batch_sizes : ('k, 'v) t -> int array
(** [(batch_sizes t).(i)] is the number of batches so far with 2{^ i} to 2{^ i+1} - 1 operations,
    where a batch that a caller submitted, or an access to the whole map, counts as one operation.
    Exact when no operation is in progress. Never waits. *)
