(** A program that the user names on the command line, to be run. *)

type t = private { path : string; args : string list }
(** The type for programs with their arguments. *)

val make : string list -> (t, string) result
(** [make words] is the program that a shell would run for [words]. The error says why there is none
    and what to do. *)

val pp : t Fmt.t
(** [pp] formats a program as typed. *)

val mark : takes_value:string list -> string list -> string list
(** [mark ~takes_value args] is [args] with [--] before the first word that is neither an option nor
    the value of one, so that the program's options need none. [takes_value] has the options with
    values. *)
