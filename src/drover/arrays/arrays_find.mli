(** Arrays, searched from the left: what [Arrays] says of these. *)

val find_map : ('a -> 'b option) -> 'a array -> 'b option
val find_opt : ('a -> bool) -> 'a array -> 'a option
val find_index : ('a -> bool) -> 'a array -> int option
val exists : ('a -> bool) -> 'a array -> bool
val for_all : ('a -> bool) -> 'a array -> bool
val mem : 'a -> 'a array -> bool
val is_sorted : ('a -> 'a -> int) -> 'a array -> bool
