(** Immutable ordered maps, built and combined in parallel.

    They are weight-balanced search trees. Every function builds on one operation, which joins two
    trees with a binding between them: Blelloch, Ferizovic, Sun,
    {e Just Join for Parallel Ordered Sets} (SPAA 2016). An {!Ordered_map} is a mutable cell that
    holds such a tree, and a snapshot of it is one.

    From any thread. No function waits, except for tasks of its own. In the bounds, n is the number
    of bindings, m <= n that of the smaller of two maps, and a comparison is one step. A function
    that you pass may be called for several bindings at once, and its exception is raised. Two maps
    can only be combined if they were made with the same comparison; that of the first is used. *)

type (!'k, !'v) t = ('k, 'v) Ordered_tree.t
(** The type for maps from ['k] to ['v]. *)

(** {1 Single bindings} *)

val empty : ('k -> 'k -> int) -> ('k, 'v) t
(** [empty compare] is the empty map. [compare] orders the keys, as in [List.sort]. *)

val length : ('k, 'v) t -> int
(** [length m] is the number of bindings. O(1). *)

val find : ('k, 'v) t -> 'k -> 'v option
(** [find m k] is the value that [k] is bound to, if any. O(log n). *)

val mem : ('k, 'v) t -> 'k -> bool
(** [mem m k] is [true] iff [k] is bound. O(log n). *)

val insert : ('k, 'v) t -> 'k -> 'v -> ('k, 'v) t
(** [insert m k v] is [m] with [k] bound to [v]. O(log n). *)

val delete : ('k, 'v) t -> 'k -> ('k, 'v) t
(** [delete m k] is [m] without [k]. O(log n). *)

val update : ('k, 'v) t -> 'k -> ('v option -> 'v option) -> ('k, 'v) t
(** [update m k f] is [m] with the binding of [k] replaced by what [f] returns for it. O(log n). *)

(** {1 Order} *)

val first : ('k, 'v) t -> ('k * 'v) option
(** [first m] is the binding with the least key. O(log n). *)

val last : ('k, 'v) t -> ('k * 'v) option
(** [last m] is the binding with the greatest key. O(log n). *)

val nth : ('k, 'v) t -> int -> ('k * 'v) option
(** [nth m i] is the binding with [i] keys before it. O(log n). *)

val rank : ('k, 'v) t -> 'k -> int
(** [rank m k] is the number of keys before [k]. O(log n). *)

val range : ('k, 'v) t -> lo:'k -> hi:'k -> ('k, 'v) t
(** [range m ~lo ~hi] is the map of the bindings with keys from [lo] to [hi], both included. O(log
    n). *)

val split : ('k, 'v) t -> 'k -> ('k, 'v) t * 'v option * ('k, 'v) t
(** [split m k] is the map of the bindings before [k], the value of [k], and the map of the bindings
    after [k]. O(log n). *)

(** {1 Whole maps} *)

val of_array : ('k -> 'k -> int) -> ('k * 'v) array -> ('k, 'v) t
(** [of_array compare bindings] is the map of [bindings]; of several for one key, the last counts.
    Work O(n log n), span O(log{^ 3} n). *)

val to_array : ('k, 'v) t -> ('k * 'v) array
(** [to_array m] is the array of the bindings, in increasing order. Work O(n), span O(log n). *)

val union : ('k -> 'v -> 'v -> 'v) -> ('k, 'v) t -> ('k, 'v) t -> ('k, 'v) t
(** [union f a b] is the map of the bindings of both, with [f k x y] for a key that is in both. Work
    O(m log (n/m + 1)), span O(log{^ 2} n). *)

val inter : ('k -> 'v -> 'w -> 'x) -> ('k, 'v) t -> ('k, 'w) t -> ('k, 'x) t
(** [inter f a b] binds the keys that are in both to [f k x y]. Bounds of {!union}. *)

val diff : ('k, 'v) t -> ('k, 'w) t -> ('k, 'v) t
(** [diff a b] is [a] without the keys of [b]. Bounds of {!union}. *)

val map : ('k -> 'v -> 'w) -> ('k, 'v) t -> ('k, 'w) t
(** [map f m] binds each key [k] to [f k v]. Work O(n), span O(log n). *)

val filter : ('k -> 'v -> bool) -> ('k, 'v) t -> ('k, 'v) t
(** [filter f m] is the map of the bindings that satisfy [f]. Work O(n), span O(log{^ 2} n). *)

val filter_map : ('k -> 'v -> 'w option) -> ('k, 'v) t -> ('k, 'w) t
(** [filter_map f m] binds [k] to [w] where [f k v] is [Some w]. Bounds of {!filter}. *)

val map_reduce : ('k -> 'v -> 'a) -> ('a -> 'a -> 'a) -> 'a -> ('k, 'v) t -> 'a
(** [map_reduce f combine zero m] is [f k v] for all bindings, combined in the order of the keys.
    [combine] must be associative with [zero] as its neutral element. Work O(n), span O(log n). *)

val iter : ('k -> 'v -> unit) -> ('k, 'v) t -> unit
(** [iter f m] calls [f k v] for each binding, in increasing order, one after the other. *)

val fold : ('k -> 'v -> 'a -> 'a) -> ('k, 'v) t -> 'a -> 'a
(** [fold f m init] is [f kn vn (... (f k1 v1 init))], in increasing order. *)

val to_seq : ('k, 'v) t -> ('k * 'v) Seq.t
(** [to_seq m] is the sequence of the bindings in increasing order, each found when it is forced. *)

val apply : ('k, 'v) t -> ('k, 'v) Op.t array -> ('k, 'v) t
(** [apply m ops] is [m] after the operations, as if they were applied one after the other; each
    then has its result. An operation for which the comparison raises fails alone. Work O(b log b +
    b log (n/b + 1)) and span O(log{^ 3} b + log b log n) for b operations on different keys; those
    on one key come one after the other. If the comparison raises, the batch runs partly or wholly
    sequentially. *)

val validate : ('k, 'v) t -> unit
(** [validate m] raises [Failure] if [m] breaks an invariant of its representation, which is a bug
    in this library unless the comparison is inconsistent. For tests. O(n). *)
