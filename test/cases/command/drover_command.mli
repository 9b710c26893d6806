(** The command drover, and the program that it observes. *)

val drover : string list -> string list
(** [drover arguments] is a command line. *)

val subject : string -> string list
(** [subject what] is that of a program which is [what]: killed, endless, or neither. *)

val number_in : string -> int
(** [number_in output] is the process that the subject says it is. *)

val trace : string -> unit
(** [trace file] writes a timeline. *)
