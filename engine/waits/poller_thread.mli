(** The thread that serves what is waited for where no worker does (see [Poller]). *)

val slack : float
(** [slack] is how many seconds others have to serve a timer before it does. *)

val watch_period : float
(** [watch_period] is after how many seconds it looks for new descriptors, while there are some. *)

val is_of_this_process : Awaited.thread -> bool
(** [is_of_this_process t] is [false] in a child of [Unix.fork], which has no such thread. *)

val start : unit -> unit
(** [start ()] makes it, here, if there is none. If no thread can be made, the workers serve what is
    due. *)

val ensure : unit -> unit
(** [ensure ()] is the same, if anything is waited for. *)

val take_over : Awaited.thread -> unit
(** [take_over t] moves it here, if its domain is about to end. *)

(** {1 Where it is}

    See [Poller]. *)

val leave : unit -> unit
val pass_on : unit -> bool
val bring_here : unit -> unit
