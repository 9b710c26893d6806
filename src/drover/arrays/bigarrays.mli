(** One-dimensional bigarrays in parallel.

    The functions over slices leave the inner loop to you: where the kind of the bigarray is known,
    it runs without calls or boxed floats. Several tasks and domains may take slices of one bigarray
    here; with OCaml's own [Array1.sub] only after the first [sub] has returned, as two that are the
    first of a bigarray make OCaml free its memory too early. How often functions are called,
    exceptions, associativity and independence of the number of domains are as in [Drover.Array]. *)

open Bigarray

type ('a, 'b) t = ('a, 'b, c_layout) Array1.t
(** The type for bigarrays of any kind, indexed from 0. *)

type float64 = (float, float64_elt) t
(** The type for bigarrays of floats. *)

val iter_slices : (int -> ('a, 'b) t -> unit) -> ('a, 'b) t -> unit
(** [iter_slices f a] calls [f i s] for slices [s] of [a] that make up [a], of 2,048 elements at
    least but for the last; [i] is the index where [s] begins. Work O(n), span O(log n) plus the
    longest slice. *)

val reduce_slices :
  init:'c -> combine:('c -> 'c -> 'c) -> (int -> ('a, 'b) t -> 'c) -> ('a, 'b) t -> 'c
(** [reduce_slices ~init ~combine f a] is [init] combined, in order, with [f i s] for slices [s] of
    [a] as in {!iter_slices}, which depend only on the length of [a]; [i] is the index where [s]
    begins. [combine] must be associative. Work O(n), span O(log n) plus n / 512 steps. *)

val fill : ('a, 'b) t -> 'a -> unit
(** [fill a x] stores [x] at every index of [a]. Work O(n), span O(log n). *)

val blit : ('a, 'b) t -> ('a, 'b) t -> unit
(** [blit src dst] copies [src] to [dst]. Work and span O(n): one copy of memory. Raises
    [Invalid_argument] if the lengths differ. *)

val init_float64 : int -> (int -> float) -> float64
(** [init_float64 n f] is the bigarray of [f 0], ..., [f (n - 1)]. Work O(n), span O(log n). Raises
    [Invalid_argument] if [n < 0]. *)

val map_float64 : (float -> float) -> float64 -> float64
(** [map_float64 f a] is the bigarray of [f] of each element. Work O(n), span O(log n). *)

val sum_float64 : float64 -> float
(** [sum_float64 a] is the sum of [a], without boxed floats, rounded in blocks that depend only on
    the length. Work O(n), span O(log n) plus n / 512 steps. *)
