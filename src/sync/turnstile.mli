(** Turnstiles: permits that tasks and threads wait for, and who holds the only one. Any thread.

    A passer-by takes a free permit, before those in line. But when others have gone before the
    first in line often enough, or for long, the next permit is given to that one. *)

type t
(** The type for turnstiles. *)

val create : ?name:string -> string -> most:int -> int -> t
(** [create aim ~most n] has [n] free permits, and never more than [most]. [aim] is what those who
    wait for it do, for {!Wait}. With a [name], reports of deadlocks say who waits for it and who
    holds it. *)

val hold : t -> Hold.t
(** [hold t] says who has the permit, where there is one only. *)

val free : t -> int
(** [free t] is how many permits are free. Never waits. *)

val try_acquire : t -> bool
(** [try_acquire t] takes a permit, if one is free. Never waits. One step; no safepoint after it. *)

val acquire : t -> int -> unit
(** [acquire t holder] takes a permit for [holder], or for [Hold.nobody]. Waits until there is one.
    Raises what [Wait.wait] does, with none taken. *)

val acquire_by : ((Waiter.t -> unit) -> unit) -> t -> int -> unit
(** [acquire_by wait t holder] is the same where none is free, with a function of {!Wait}. In a
    section. *)

val release : t -> bool
(** [release t] gives a permit back; [false] if there are too many. Never waits. Needs some stack:
    see [Section.reserve_stack]. *)

val protect : t -> int -> (unit -> 'a) -> 'a
(** [protect t holder f] is [f ()], with a permit for [holder], which is given back in any case. *)

val protect_alone : string -> t -> (unit -> 'a) -> 'a
(** [protect_alone caller t f] is [protect t me f], where [me] is the calling task. Raises
    [Invalid_argument] for [caller], a function of [Drover], if that has the permit already. *)
