(** How n elements are divided when pieces have results. The division depends on n only, and the
    results are combined from left to right: so a result does not depend on the number of domains,
    even when an operator is only nearly associative, as the addition of floats is. *)

type t = { n : int; size : int; count : int }
(** The type for divisions of 0..n-1 into [count] blocks of [size] elements, or less in the last. *)

val divide : ?least:int -> int -> t
(** [divide ~least n] has at most 512 blocks, of at least [least] elements (default: 1), but for the
    last. *)

val light : int
(** [light] is the least block for bodies of a few instructions an element. *)

val lo : t -> int -> int
(** [lo b i] is the first element of the block [i]. *)

val hi : t -> int -> int
(** [hi b i] is its last element. *)

(** In these, a function gets the ends of a block, inclusive. Any thread; suspends as [Loops.range]
    does, and raises what that and the functions do. *)

val iter : t -> (int -> int -> int -> unit) -> unit
(** [iter b f] calls [f i (lo b i) (hi b i)] for all blocks [i], in parallel. *)

val reduce : t -> init:'a -> combine:('a -> 'b -> 'a) -> (int -> int -> 'b) -> 'a
(** [reduce b ~init ~combine f] is [init] combined with [f (lo b i) (hi b i)] of all blocks [i], in
    order. *)

val reduce_by :
  t ->
  init:'a ->
  combine:('a -> 'b -> 'a) ->
  add:('a -> int -> int -> 'a) ->
  (int -> int -> 'b) ->
  'a
(** [reduce_by b ~init ~combine ~add f] is the same, where [add acc first last] does this for the
    blocks [first] to [last] with nothing between two elements, and starts with [acc]. *)
