(** What is still reachable. *)

type t
(** The type for sets of values that are watched, without being kept. *)

val create : unit -> t
(** [create ()] watches nothing. *)

val watch : t -> 'a -> 'a
(** [watch r x] is [x], a block on the heap, watched from now on. Any domain. *)

val alive : t -> int
(** [alive r] is how many of the watched values are still reachable. Collects all garbage. *)

val remain : ?most:int -> t -> int
(** [remain r] is [alive r] when that has come down to [most] (0), or after a minute: another thread
    may still be at the end of what it does with a value. *)
