(** Pauses of a caller that was overtaken, or expects to be. *)

val pause : int -> unit
(** [pause n] relaxes the processor [n] times, each for about as long as a cache line travels. *)
