(** The calling fiber (of OCaml's), by a number.

    Each handler of effects gives the code that it handles a stack of its own. So code that has the
    stack on which its task began lies in no handler of the user's, and what it calls finds none.
    OCaml has no way to ask. *)

external current : unit -> int = "drover_stack_id"
[@@noalloc]
(** [current ()] is the number of the calling code's stack: no two stacks of a program have the
    same. *)
