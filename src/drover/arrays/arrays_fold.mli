(** Arrays, reduced: what [Arrays] says of these. *)

val reduce : init:'b -> combine:('b -> 'b -> 'b) -> ('a -> 'b) -> 'a array -> 'b
val fold : make:(unit -> 'b) -> merge:('b -> 'b -> 'b) -> ('b -> 'a -> 'b) -> 'a array -> 'b
val count : ('a -> bool) -> 'a array -> int
val min_max : ('a -> 'a -> int) -> 'a array -> ('a * 'a) option

val sum_ranges : int -> (int -> int -> 'a) -> zero:'a -> add:('a -> 'a -> 'a) -> 'a
(** [sum_ranges n f ~zero ~add] is the sum of [f lo hi] for inclusive intervals, of 4096 or more
    indices, that make up [0..n-1]; [zero] if [n <= 0]. They depend only on [n]. *)

val folded : ('a -> 'b) -> ('b -> 'b -> 'b) -> 'a array -> int -> int -> 'b
(** [folded f combine a lo hi] is the values of [f] for some elements, one at least, combined from
    the left, by the caller. *)
