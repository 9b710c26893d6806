(** The timers that are set, and what those that serve them tell each other.

    Any thread of any domain; nothing waits, but {!park}. *)

type t
(** The type for timers. *)

val add : float -> (unit -> unit) -> t
(** [add time call] has [call] called at that time of the [System.now], or later, by a server.
    [call] must not raise or wait. {!expect} is to follow, for each server. *)

val cancel : t -> unit
(** [cancel t] forgets it: no call is made, if it is not too late. *)

val is_any : unit -> bool
(** [is_any ()] is [true] if a timer is set, or was until {!next} was last called. Any thread. *)

val next : unit -> float
(** [next ()] is the time of the first one, or [infinity]. *)

val serve : float -> unit
(** [serve now] makes the calls that are due. *)

val pass : float -> unit
(** [pass now] makes those of the calling domain's timers; and now and then of all. *)

(** {1 Servers} *)

type server
(** The type for threads that serve timers, each in a kind of their own, one at a time. *)

val server : due:(now:float -> float -> float) -> server
(** [server ~due] is one that is to wake up at [due ~now time] for a timer at [time]. *)

val expect : server -> now:float -> float -> bool
(** [expect s ~now time] wakes [s] if it is parked beyond what is due at [time]; whether it was. *)

val park : server -> until:float -> (Bell.t -> until:float -> unit) -> unit
(** [park s ~until block], by the thread of [s], calls [block bell ~until], which parks at [bell]
    until [s] has something to do, or [until]. *)

val retire : server -> unit
(** [retire s]: no thread is [s] any more. *)

val ring : server -> unit
(** [ring s] has it look for what it has to do. *)
