(** Scenes that need a process of their own: how a program ends. One that hangs is the caller's
    {!Watchdog}'s business. *)

type t = { name : string; play : unit -> unit }
(** The type for scenes. *)

val main : t list -> (unit -> unit) -> unit
(** [main scenes tests] plays a scene if the program was started by {!start}, and runs [tests]
    otherwise. *)

type running
(** The type for processes that play a scene. *)

val start : ?parameters:string -> ?limits:string -> t -> running
(** [start scene] plays [scene] in a process, whose OCAMLRUNPARAM is [parameters], or ours. A shell
    runs [limits] before, such as [ulimit -n 64]. *)

val ready : unit -> unit
(** [ready ()] is called by a scene that has come to the point. *)

val until_ready : running -> unit
(** [until_ready c] waits until [c] has called {!ready}. *)

val until_asleep : running -> unit
(** [until_asleep c] waits until the main thread of [c] sleeps in a system call, or has ended. On
    Linux. *)

val contents : string -> string
(** [contents path] is what is in that file. *)

val contains : string -> string -> bool
(** [contains text part] is whether [part] is in [text]. *)

val until_says : running -> string -> unit
(** [until_says c text] waits until [text] is among the errors of [c], or [c] has ended. On Linux.
*)

val signal : running -> int -> unit
(** [signal c s] sends it the signal [s]. *)

type ending = { status : Unix.process_status; output : string; errors : string }
(** The type for ends of processes. [output] is without what {!ready} says. *)

val ending : running -> ending
(** [ending c] waits for the end of [c]. *)

val case : ?parameters:string -> t -> unit Alcotest.test_case
(** [case scene] plays [scene] as {!start} does. It is to end well. *)

val check_exit : int -> t -> unit
(** [check_exit code scene] plays [scene], which is to end with that exit code, and to print
    nothing. *)
