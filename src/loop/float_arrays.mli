(** Arrays of unboxed floats ([Float.Array.t]) in parallel.

    What is called how often, exceptions and independence of the number of domains are as for
    [Drover.Array]; so are work and span, function by function. A float that a function given by the
    user returns is in a box for a moment; {!sum}, {!scan} and {!sort} make no boxes. *)

type t = Float.Array.t
(** The type for arrays of floats. *)

val init : int -> (int -> float) -> t
(** [init n f] is the array of [f 0], ..., [f (n - 1)]. Raises [Invalid_argument] if [n < 0]. *)

val map : (float -> float) -> t -> t
(** [map f a] is the array of [f] of each element. *)

val mapi : (int -> float -> float) -> t -> t
(** [mapi f a] is the array of [f] of each index and element. *)

val map2 : (float -> float -> float) -> t -> t -> t
(** [map2 f a b] is the array of [f] of the elements at the same index. Raises [Invalid_argument] if
    the lengths differ. *)

val map_inplace : (float -> float) -> t -> unit
(** [map_inplace f a] replaces each element by [f] of it. When [f] raises, some elements have been
    replaced and others not. *)

val iteri : (int -> float -> unit) -> t -> unit
(** [iteri f a] is [f] of each index and element, in any order. *)

val fold : (float -> 'a) -> ('a -> 'a -> 'a) -> 'a -> t -> 'a
(** [fold f combine init a] is [init] combined with [f] of each element, in order. [combine] must be
    associative; [init] is used once, at the left. *)

val sum : t -> float
(** [sum a] is the sum of [a], rounded as by [Drover.Array.sum_float]. *)

val scan : t -> t
(** [scan a] is the sums of the first element, of the first two, ... They are rounded by blocks that
    depend on the length only. *)

val sort : t -> unit
(** [sort a] sorts [a] in the order of [Float.compare]: nan first. Stable: -0. and 0. are equal. If
    the task is cancelled before the end, some elements may be in [a] more than once, and others not
    at all. *)
