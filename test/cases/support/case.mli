(** A case: a program that shows a fault as users met it, or that it is gone. It prints one line,
    and its exit code is 0 if all is right, 1 if it still shows the fault, and 77 if it cannot run
    here. *)

type verdict
(** The type for what a case has found. *)

val right : ('a, unit, string, verdict) format4 -> 'a
(** [right format] is that the fault does not show. *)

val wrong : ('a, unit, string, verdict) format4 -> 'a
(** [wrong format] is that it does. *)

val cannot : ('a, unit, string, verdict) format4 -> 'a
(** [cannot format] is that the case cannot run here. *)

val expect : bool -> ('a, unit, string, verdict) format4 -> 'a
(** [expect fine] is {!right} if [fine], and {!wrong} otherwise. *)

val main : ?seconds:float -> (unit -> verdict) -> unit
(** [main f] is the case [f], which it calls in a process of its own. That is to have ended after
    [seconds] (default: 20), and is killed otherwise, with all that it has started: a fault, as is
    an exception. *)

val beside : int -> (unit -> 'a) -> 'a
(** [beside n f] is [f ()] while [n] processes spin. To be called before there are domains. *)

val now : unit -> float
(** [now ()] is the time in seconds. *)

val spin : float -> unit
(** [spin seconds] computes for so long. *)

val quantile : float -> float list -> float
(** [quantile q l] is what at least the fraction [q] of [l] does not exceed. *)

val contains : string -> string -> bool
(** [contains text part] is whether [part] is in [text]. *)

val built : string -> string
(** [built path] is that program of the project, such as ["cli/main.exe"]. *)

(** {1 Processes} *)

type running
(** The type for processes that a case has started. *)

type ending = { status : Unix.process_status option; output : string }
(** The type for ends of processes: [None] for one that had to be killed, and what it has written to
    standard output and error. *)

val start : ?environment:string list -> ?as_user:int -> string list -> running
(** [start command] runs [command] with additional variables, such as ["A=b"]. *)

val pid : running -> int
(** [pid p] is its number. *)

val until_it_says : running -> string -> string
(** [until_it_says p text] waits until [p] has written [text], or has ended; what it has written. *)

val ending : ?seconds:float -> running -> ending
(** [ending p] waits for the end of [p], which is killed after [seconds] (default: 15). *)

val call : ?environment:string list -> ?as_user:int -> ?seconds:float -> string list -> ending
(** [call command] is the end of [start command]. *)

val ended_well : ending -> bool
(** [ended_well e] is whether the exit code is 0. *)

val scene : string -> string list
(** [scene name] is the command that runs the same program with the argument [name]. *)
