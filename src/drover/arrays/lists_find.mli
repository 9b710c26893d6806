(** Searches of lists: see [Drover.List]. *)

val find_opt : ('a -> bool) -> 'a list -> 'a option
val find : ('a -> bool) -> 'a list -> 'a
val find_map : ('a -> 'b option) -> 'a list -> 'b option
val exists : ('a -> bool) -> 'a list -> bool
val for_all : ('a -> bool) -> 'a list -> bool
val mem : 'a -> 'a list -> bool
