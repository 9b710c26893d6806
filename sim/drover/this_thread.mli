(** The calling thread: as that of the engine, with functions in place of primitives. *)

val tag : unit -> int
val set_tag : int -> unit
val stack : unit -> int
val stack_may_double : unit -> bool
val number : unit -> int

type domain

val domain : unit -> domain
