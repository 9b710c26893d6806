(** The variables of a piece of a loop. *)

open Ppxlib

val own : loc:location -> pattern -> expression -> expression -> expression
(** [own ~loc index body piece] is [piece], which has a loop over [index] with [body] inside, with
    variables of its own in place of those that [body] reads and does not define: so the compiler
    keeps them in registers. It means the same. *)
