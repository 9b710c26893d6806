(** Arrays, element by element: what [Arrays] says of these. *)

val init : int -> (int -> 'a) -> 'a array
val map : ('a -> 'b) -> 'a array -> 'b array
val mapi : (int -> 'a -> 'b) -> 'a array -> 'b array
val map2 : ('a -> 'b -> 'c) -> 'a array -> 'b array -> 'c array
val iteri : (int -> 'a -> unit) -> 'a array -> unit
val iter : ('a -> unit) -> 'a array -> unit
val map_inplace : ('a -> 'a) -> 'a array -> unit

val same_length : string -> 'a array -> 'b array -> unit
(** [same_length caller a b] raises [Invalid_argument] for the function [caller] of [Drover.Array],
    if [a] and [b] differ in length. *)
