(** The variables of a loop's pieces. *)

open Ppxlib

val own : loc:location -> pattern -> expression -> expression -> expression
(** [own ~loc index body piece] is [piece], which runs [body] in a loop over [index], with variables
    of its own for those that [body] reads from outside. It computes the same; the compiler keeps
    its own variables in registers. *)
