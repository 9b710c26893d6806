(** Has code that is to be interrupted come to a safepoint at which that happens: by minor
    collections, which a domain of its own makes while they are wanted. While such code runs, that
    domain also serves timers in time. Any thread; nothing here waits. *)

type request
(** The type for requests. *)

val create : ?longest:float -> (unit -> bool) -> request
(** [create is_wanted] is a request for collections, no more than [longest] seconds apart, until
    [is_wanted ()] does not hold any more. *)

val request : request -> unit
(** [request r] has them made. *)

val ensure : request -> unit
(** [ensure r] is [request r], if that has not been called, or if it has served. *)

(** {1 Timers} *)

val during : (unit -> 'a) -> 'a
(** [during f] is [f ()], code that can be interrupted. *)

val is_in_use : unit -> bool
(** [is_in_use ()] is whether there is any. *)

val lead : float
(** [lead] is how many seconds before a timer the interrupter must know of it. *)

val expect : now:float -> float -> unit
(** [expect ~now time]: a timer is due at [time]. *)
