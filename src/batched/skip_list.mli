(** An {!Ordered_map} under its former name, to be removed with 0.3.0. All functions are those of
    [Ordered_map], but for {!to_array} and {!range}, which return arrays. *)

type ('k, 'v) t = ('k, 'v) Ordered_map.t

val create : ?pool:Drover.Pool.t -> ('k -> 'k -> int) -> ('k, 'v) t
val find : ('k, 'v) t -> 'k -> 'v option
val mem : ('k, 'v) t -> 'k -> bool
val insert : ('k, 'v) t -> 'k -> 'v -> unit
val add : ('k, 'v) t -> 'k -> 'v -> bool
val delete : ('k, 'v) t -> 'k -> bool
val update : ('k, 'v) t -> 'k -> ('v option -> 'v option) -> unit
val insert_all : ('k, 'v) t -> ('k * 'v) array -> unit
val delete_all : ('k, 'v) t -> 'k array -> unit
val find_all : ('k, 'v) t -> 'k array -> 'v option array
val apply : ('k, 'v) t -> ('k, 'v) Op.t array -> unit
val length : ('k, 'v) t -> int

val to_array : ('k, 'v) t -> ('k * 'v) array
(** [to_array t] is the array of the bindings at one moment, in increasing order. O(n). *)

val range : ('k, 'v) t -> lo:'k -> hi:'k -> ('k * 'v) array
(** [range t ~lo ~hi] is the array of the bindings with keys from [lo] to [hi], both included, at
    one moment. O(log n) plus the length of the result. *)

val iter : ('k -> 'v -> unit) -> ('k, 'v) t -> unit
val validate : ('k, 'v) t -> unit
val batch_sizes : ('k, 'v) t -> int array
