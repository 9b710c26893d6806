(** Arrays, picked from: what [Arrays] says of these. *)

val filter : ('a -> bool) -> 'a array -> 'a array
val partition : ('a -> bool) -> 'a array -> 'a array * 'a array
val collect : ('a -> ('b -> unit) -> unit) -> 'a array -> 'b array
val filter_map : ('a -> 'b option) -> 'a array -> 'b array
val concat_map : ('a -> 'b array) -> 'a array -> 'b array
val dedup : ('a -> 'a -> bool) -> 'a array -> 'a array
