(** The standard library and Drover, whose modules need no rewriting: their calls are told of, or
    change nothing. *)

val has : string -> bool
(** [has name] is whether [name] is a module of the standard library, or one that is a library. *)

val modules_of : string -> string list
(** [modules_of library] is the modules that a file has which opens [library]. *)
