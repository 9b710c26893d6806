(** Calls a command as users do: the program whose path is in the environment's [COMMAND]. *)

val call :
  ?environment:string array -> ?during:(int -> unit) -> string list -> int * string * string
(** [call args] is the exit code, the standard output and the standard error. [during] is called
    with the process's number. What does not end is killed, and fails the test. *)

val fails : string list -> code:int -> saying:string list -> unit -> unit
(** [fails args ~code ~saying ()] checks the exit code and what stands on standard error. *)

val contains : string -> string -> bool
(** [contains text part] is whether [part] is in [text]. *)

val check_contains : string -> string -> unit
(** [check_contains text part] fails if it is not. *)

val read : string -> string
(** [read file] is its contents. *)

val temporary : string -> (string -> 'a) -> 'a
(** [temporary suffix f] is [f file], where [file] exists until [f] ends. *)
