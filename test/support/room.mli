(** Stacks that are nearly full. *)

val within : int -> (unit -> 'a) -> 'a
(** [within n f] is [f ()] where the stack has room for [n] small frames more. In a process with a
    small stack, as with [OCAMLRUNPARAM=l=16k]. *)
