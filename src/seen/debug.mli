(** What is kept and said when the environment variable DROVER_DEBUG is 1 (or true), or exit: on
    standard error. Any thread; nothing here waits, but for {!wait} as the engine does. *)

val is_on : bool
(** [is_on] is whether it is one of these. What follows is for that case, but for {!say} and
    {!describe_here}. *)

val is_silent : bool
(** [is_silent] is whether it is 0, or false. Of any other value the program is told when it starts.
*)

val ends_deadlocks : bool
(** [ends_deadlocks] is whether it is exit: then the program is to end when nothing can run any
    more. *)

val say : string -> unit
(** [say text] prints [text]. *)

val describe_here : unit -> string
(** [describe_here ()] is where in the program its caller is. *)

val describe_task : Worker.t -> string
(** [describe_task w], by [w] itself, is where in the program its task is. *)

val in_what_was_started : Worker.t -> string
(** [in_what_was_started w] is where the task of [w], or the loop that it is in, was started, after
    a comma; [""] if that is not known. Any thread. *)

val duration : float -> string
(** [duration seconds] is [seconds] as reports have them. *)

val with_start : Context.Locals.t -> Context.Locals.t
(** [with_start locals] is [locals] with the caller's site, as that where a task or a loop was
    started: so what thieves take has it, too. *)

(** {1 Waits}

    Every wait stands in a list, with its site in the program, from its beginning until somebody
    ends it. *)

val wait : string -> Hold.t option -> ('a -> 'b) -> 'a -> 'b
(** [wait aim wanted suspend x] is [suspend x], in the list: the calling task or thread does [aim],
    and waits for [wanted], if there is one. Says, once for each site, that a task waits while it
    holds a mutex. *)

val is_awaited : unit -> bool
(** [is_awaited ()] is whether a thread outside the pools waits: then the program expects something
    of its tasks. *)

val list_waits : unit -> string
(** [list_waits ()] is all waits, with their times, equal ones on one line. *)

type moment
(** The type for the waits at one moment. *)

val now : unit -> moment
(** [now ()] is physically equal to an earlier one if no wait has begun or ended. *)

(** {1 Delays} *)

val tell_of_delay : Worker.t -> unit
(** [tell_of_delay w] says that the calling task has kept its worker [w] for long, or that it was
    cancelled and does not notice. Once for each place, as the next one. *)

val tell_of_silence : Worker.t -> unit
(** [tell_of_silence w] says that the task of [w] has, and does not say where it is. *)

val tell_of_resistance : Worker.t -> unit
(** [tell_of_resistance w] says that the code of [w] was to be interrupted a second ago. *)

val teller_of_call : Worker.t -> unit -> unit
(** [teller_of_call w], in a call within [blocking] of the task of [w], is a function that says that
    the task was cancelled a second ago, and that the call goes on. *)
