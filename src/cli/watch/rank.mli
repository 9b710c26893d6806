(** Which rank of a parallel job this is, where a launcher of MPI has started several at once. *)

val number : int option
(** [number] is what the launcher says, if there is one. *)

val own_file : string -> string
(** [own_file name] is [name] with the rank before its extension, as in [trace.1.json], if there is
    one: so that each rank writes a file of its own. *)
