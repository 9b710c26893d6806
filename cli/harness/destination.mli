(** Where the user wants a file. *)

val check : string -> (unit, string) result
(** [check file] is [Ok ()] if [file] can be written, as far as one can tell without doing it. The
    error says why not, and what to do. *)
