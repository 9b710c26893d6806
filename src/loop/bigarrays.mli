(** One-dimensional bigarrays in parallel.

    The functions over slices leave the inner loop to the caller, who knows the kind: it then runs
    without calls or boxes. What is called how often, exceptions, associativity and independence of
    the number of domains are as for [Drover.Array]. *)

open Bigarray

type ('a, 'b) t = ('a, 'b, c_layout) Array1.t
(** The type for bigarrays of any kind, indexed from 0. *)

type float64 = (float, float64_elt) t
(** The type for bigarrays of floats. *)

val iter_slices : (int -> ('a, 'b) t -> unit) -> ('a, 'b) t -> unit
(** [iter_slices f a] calls [f i s] for slices [s] of [a], each from index [i] on, that make up [a].
    Work O(n), span O(log n) and the longest slice. *)

val fold_slices : (int -> ('a, 'b) t -> 'c) -> ('c -> 'c -> 'c) -> 'c -> ('a, 'b) t -> 'c
(** [fold_slices f combine init a] is [init] combined, in order, with [f i s] for slices [s] of [a],
    each from index [i] on, that make up [a] and depend on the length only. [combine] must be
    associative. Work O(n), span O(log n) and n / 512 steps. *)

val fill : ('a, 'b) t -> 'a -> unit
(** [fill a x] stores [x] everywhere. Work O(n), span O(log n). *)

val blit : ('a, 'b) t -> ('a, 'b) t -> unit
(** [blit src dst] copies [src] to [dst]. Work and span O(n): one move of memory. Raises
    [Invalid_argument] if the lengths differ. *)

val init_float64 : int -> (int -> float) -> float64
(** [init_float64 n f] is the bigarray of [f 0], ..., [f (n - 1)]. Work O(n), span O(log n). Raises
    [Invalid_argument] if [n < 0]. *)

val map_float64 : (float -> float) -> float64 -> float64
(** [map_float64 f a] is the bigarray of [f] of each element. Work O(n), span O(log n). *)

val sum_float64 : float64 -> float
(** [sum_float64 a] is the sum of [a], without boxes, rounded by blocks that depend on the length
    only. Work O(n), span O(log n) and n / 512 steps. *)
