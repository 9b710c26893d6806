(** Has code that is to be interrupted come to a safepoint at which that happens: by minor
    collections, which a domain of its own makes while they are wanted; and serves timers in time
    while such code runs. Any thread; nothing here waits. *)

type request
(** The type for requests. *)

val create : ?longest:float -> (unit -> bool) -> request
(** [create is_wanted] is a request for collections, no more than [longest] seconds apart, until
    [is_wanted ()] does not hold any more. *)

val no_request : request
(** [no_request] is never wanted. *)

val request : request -> unit
(** [request r] has them made. May be called again. *)

val ensure : request -> unit
(** [ensure r] is [request r], if that has not been called, or if it has served. *)

(** {1 Timers} *)

val in_use : int Atomic.t
(** [in_use] is how much code runs, or waits, that can be interrupted. *)

val is_in_use : unit -> bool
(** [is_in_use ()] is whether there is any. *)

val lead : float
(** [lead] is how many seconds before a timer the interrupter must know of it. *)

val expect : float -> unit
(** [expect time]: a timer is due at [time]. *)
