(** What is kept and said when the environment variable DROVER_DEBUG is 1, or exit: on standard
    error. Any thread; nothing here waits. *)

val is_on : bool
(** [is_on] is whether it is one of these. What follows is for that case. *)

val ends_deadlocks : bool
(** [ends_deadlocks] is whether it is exit: then the program is to end when nothing can run any
    more. *)

val say : string -> unit
(** [say text] prints [text]. *)

val with_start : Context.Locals.t -> Context.Locals.t
(** [with_start locals] is [locals] with the caller's place, as that where a task or a loop was
    started: so what thieves take has it, too. *)

(** {1 Waits}

    Every wait stands in a list, with the place in the program where it is, from its beginning until
    somebody ends it. *)

type lock = { name : string; holder : unit -> int }
(** The type for mutexes, with the number of the task that holds them; 0 is a thread outside. *)

val task :
  pool:string ->
  number:int ->
  holds:string list ->
  wants:lock option ->
  locals:Context.Locals.t ->
  unit ->
  unit ->
  unit
(** [task ~pool ~number ~holds ~wants ~locals ()] enters the wait of the calling task, which holds
    the mutexes [holds] as the task [number], and waits for [wants], if that is what it waits for;
    the result takes it out. Says, once for each place, that a task waits with a mutex. *)

val thread : wants:lock option -> unit -> unit -> unit
(** [thread ~wants ()] is the same for a thread outside the pools. *)

val is_awaited : unit -> bool
(** [is_awaited ()] is whether such a thread waits: then the program expects something of its tasks.
*)

val list_waits : unit -> string
(** [list_waits ()] is all waits, equal ones on one line. *)

type moment
(** The type for the waits at one moment. *)

val now : unit -> moment
(** [now ()] is physically equal to an earlier one if no wait has begun or ended. *)

(** {1 Delays} *)

val tell_of_delay_here : pool:string -> worker:int -> locals:Context.Locals.t -> unit
(** [tell_of_delay_here] says that the calling task has held its worker for long. *)

val tell_of_silence : pool:string -> worker:int -> locals:Context.Locals.t -> unit
(** [tell_of_silence] says that another one has, and does not say where it is. *)

val here : unit -> Printexc.raw_backtrace
(** [here ()] is where the caller is in the program. *)

val tell_of_call : pool:string -> locals:Context.Locals.t -> Printexc.raw_backtrace -> unit
(** [tell_of_call ~pool ~locals place] says that a task was cancelled a second ago, and that its
    call within [blocking], at [place], goes on. *)

val tell_of_resistance : pool:string -> worker:int -> locals:Context.Locals.t -> unit
(** [tell_of_resistance] says that the code of a worker was to be interrupted a second ago. *)
