(** Arrays of unboxed floats ([Float.Array.t]) in parallel.

    How often functions are called, exceptions and independence of the number of domains are as in
    [Drover.Array], and so are the work and span of each function. A float that a function of yours
    returns is boxed for a moment; {!sum}, {!scan} and {!sort} box nothing. *)

type t = Float.Array.t
(** The type for arrays of floats. *)

val init : int -> (int -> float) -> t
(** [init n f] is the array of [f 0], ..., [f (n - 1)]. Raises [Invalid_argument] if [n < 0], or if
    no array has that length. *)

val map : (float -> float) -> t -> t
(** [map f a] is the array of [f x] for each element [x]. *)

val mapi : (int -> float -> float) -> t -> t
(** [mapi f a] is the array of [f i x] for each index [i] and element [x]. *)

val map2 : (float -> float -> float) -> t -> t -> t
(** [map2 f a b] is the array of [f x y] for the elements [x] and [y] at the same index. Raises
    [Invalid_argument] if the lengths differ. *)

val map_inplace : (float -> float) -> t -> unit
(** [map_inplace f a] replaces each element [x] by [f x]. When [f] raises, some elements have been
    replaced and others have not. *)

val iteri : (int -> float -> unit) -> t -> unit
(** [iteri f a] calls [f] on each index and element, in any order. *)

val reduce : init:'a -> combine:('a -> 'a -> 'a) -> (float -> 'a) -> t -> 'a
(** [reduce ~init ~combine f a] is [init] combined with [f x] for each element [x], in order.
    [combine] must be associative; [init] is used once, at the left. *)

val sum : t -> float
(** [sum a] is the sum of [a], rounded as [Drover.Array.sum_floats] does. *)

val scan : t -> t
(** [scan a] is the array of the sums of the first element, of the first two, and so on. They are
    rounded in blocks that depend only on the length. *)

val sort : t -> unit
(** [sort a] sorts [a] in the order of [Float.compare]: nan first. Stable: -0. and 0. are equal. If
    the task is cancelled before the end, [a] may contain some elements more than once, and lack
    others. *)
