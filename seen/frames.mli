(** Whose a function on a stack is. Reports to users show places in their programs, not in what
    these call. *)

val is_own : string -> bool
(** [is_own name] is whether the function [name] is of this project's libraries or of the standard
    library. *)
