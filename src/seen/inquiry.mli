(** Answers who asks, with DROVER_DEBUG, what the program is at: a SIGQUIT, on standard error, and
    the command [drover where], through a socket. *)

val on_sigquit : unit -> unit
(** [on_sigquit ()] has a SIGQUIT answered from now on. *)

val look : silence:(Worker.t -> float) -> unit
(** [look ~silence], now and then, has what was asked answered by a thread of the calling domain,
    within two seconds or so; see {!Situation.tell}. Any thread; never waits. *)
