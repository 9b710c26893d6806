(** Ordered maps that any number of tasks, domains and systhreads use at a time.

    The map is a place that holds a {!Tree_map}. An operation that changes it is submitted to a
    [Drover.Batch]: operations that come together are sorted by key and applied together, in
    parallel, which also makes each of them cheaper, because neighbours share the nodes on their
    way. They change the nodes in place, as long as the map has not been looked at as a whole: the
    next ones after a {!snapshot} copy the nodes on their way instead, so that the snapshot stays
    what it is. To look for one key needs no batch, and never waits, whatever changes meanwhile.

    Linearizable: each operation takes effect while its batch runs, those on one key in the order of
    the batch, and what looks at the whole map sees all of a batch or nothing. An operation fails
    alone with what the comparison or the user's function raises for it. A comparison must not use
    the map, nor must a user's function. From any thread; all but {!find} and {!mem} suspend or
    block while a batch runs.

    Bounds are for n bindings. A batch of b operations has work O(b log b + b log (n/b + 1)) and
    span O(log{^ 3} b + log b log n), see {!Tree_map.apply}; one by itself takes O(log n). *)

type ('k, 'v) t
(** The type for maps from ['k] to ['v]. *)

val create : ?pool:Drover.Pool.t -> ('k -> 'k -> int) -> ('k, 'v) t
(** [create compare] is a map without bindings. [compare] orders the keys, as for [List.sort].
    [pool] is where batches run (default: where their operations come from). *)

val of_snapshot : ?pool:Drover.Pool.t -> ('k, 'v) Tree_map.t -> ('k, 'v) t
(** [of_snapshot m] is a map with the bindings and the comparison of [m]. O(1). *)

(** {1 One binding} *)

val find : ('k, 'v) t -> 'k -> 'v option
(** [find t k] is what [k] is bound to. Never waits. *)

val mem : ('k, 'v) t -> 'k -> bool
(** [mem t k] is [true] iff [k] is bound. Never waits. *)

val insert : ('k, 'v) t -> 'k -> 'v -> unit
(** [insert t k v] binds [k] to [v], whatever it is bound to. *)

val add : ('k, 'v) t -> 'k -> 'v -> bool
(** [add t k v] binds [k] to [v] if it is not bound, and is [true] iff it was not. *)

val delete : ('k, 'v) t -> 'k -> bool
(** [delete t k] removes the binding of [k], and is [true] iff there was one. *)

val update : ('k, 'v) t -> 'k -> ('v option -> 'v option) -> unit
(** [update t k f] replaces the binding of [k] by what [f] makes of it, in one step. [f] must not
    use [t]. *)

(** {1 Many} *)

val insert_all : ('k, 'v) t -> ('k * 'v) array -> unit
(** [insert_all t bindings] inserts them as one batch; of several for one key, the last stays. *)

val delete_all : ('k, 'v) t -> 'k array -> unit
(** [delete_all t keys] deletes them as one batch. *)

val find_all : ('k, 'v) t -> 'k array -> 'v option array
(** [find_all t keys] is what the keys are bound to, all at one time. *)

val apply : ('k, 'v) t -> ('k, 'v) Op.t array -> unit
(** [apply t ops] applies a batch in its order; [Op.result] then tells the result of each. An
    operation that fails does not make [apply] fail. Who looks for single keys meanwhile may find
    some of what the batch does before the rest. *)

val modify : ('k, 'v) t -> (('k, 'v) Tree_map.t -> ('k, 'v) Tree_map.t * 'a) -> 'a
(** [modify t f] replaces the bindings by the map that [f] makes of them, in one step, and is what
    [f] gives with it. So [modify t (fun m -> (Tree_map.union pick m other, ()))] unites, and
    [modify t (fun m -> let before, _, behind = Tree_map.split m k in (before, behind))] cuts off
    and returns what is behind [k]. If [f] raises, [t] stays. [f] must not use [t]. *)

(** {1 Looking} *)

val snapshot : ('k, 'v) t -> ('k, 'v) Tree_map.t
(** [snapshot t] is the bindings of this moment, as a map that does not change. O(1); afterwards
    each node is copied when it is changed for the first time. *)

val length : ('k, 'v) t -> int
(** [length t] is the number of bindings. O(1). *)

val range : ('k, 'v) t -> lo:'k -> hi:'k -> ('k, 'v) Tree_map.t
(** [range t ~lo ~hi] is the bindings of a snapshot with keys from [lo] to [hi], both included.
    O(log n). *)

val iter : ('k -> 'v -> unit) -> ('k, 'v) t -> unit
(** [iter f t] is [f k v] for each binding of a snapshot, in increasing order. [f] may use [t]. *)

val validate : ('k, 'v) t -> unit
(** [validate t] is {!Tree_map.validate} of the map as it is. For tests. O(n). *)

val batch_sizes : ('k, 'v) t -> int array
(** [(batch_sizes t).(i)] is how many batches have had 2{^ i} to 2{^ i+1} - 1 operations, where a
    batch that was handed in, or a look at the whole map, counts as one operation. Exact when no
    operation is in progress. Never waits. *)
