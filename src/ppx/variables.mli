(** The variables of a loop's pieces. *)

open Ppxlib

val piece : expression -> expression
(** [piece e] is [e], which runs a piece of a loop, marked for {!own}. *)

val own : structure -> structure
(** [own program] is [program], where each piece has variables of its own for those that it reads
    from outside. It computes the same; the compiler keeps its own variables in registers. *)
