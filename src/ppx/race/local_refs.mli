(** References that nobody else can see: the compiler keeps them in registers, and so it is to stay.
*)

open Ppxlib

val is_local : string -> expression -> bool
(** [is_local x body] is whether [body] does nothing with the reference [x] but read and write it,
    and in no function. *)
