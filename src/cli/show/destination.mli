(** Where the user wants a file. *)

val check : string -> (unit, string) result
(** [check file] is [Ok ()] if [file] can be written, as far as one can tell without doing it. The
    error says why not, and what to do. *)

val write : string -> (out_channel -> unit) -> unit
(** [write file f] makes [file] of what [f] writes, beside it, so that [file] stays as it was if [f]
    raises. Raises [Sys_error], which names [file]. *)
