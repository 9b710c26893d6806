(** Turnstiles: permits that tasks and threads wait for, and who holds the only one. Any thread.

    A passer-by takes free permits, before those in line. But when others have gone before the first
    in line often enough, or for long, the next permit is given to that one; and where the first
    needs several, nobody goes before it. *)

type t
(** The type for turnstiles. *)

val create : ?name:string -> string -> most:int -> int -> t
(** [create aim ~most n] has [n] free permits, and never more than [most]. [aim] is what those who
    wait for it do, for {!Wait}. With a [name], reports of deadlocks say who waits for it and who
    holds it. *)

val hold : t -> Hold.t
(** [hold t] says who has the permit, where there is one only. *)

val total : t -> int
(** [total t] is how many permits [t] was made with. *)

val free : t -> int
(** [free t] is how many permits are free. Never waits. *)

val try_acquire : n:int -> t -> bool
(** [try_acquire ~n t] takes [n] permits, if they are free and it may go before those in line. Never
    waits. One step; no safepoint after it. *)

val acquire : n:int -> t -> int -> unit
(** [acquire ~n t holder] takes [n] permits for [holder], or for [Hold.nobody]. Waits until there
    are as many. Raises what [Wait.wait] does, with none taken; [Invalid_argument] if [holder] has
    them. *)

val acquire_by : ((Waiter.t -> unit) -> unit) -> n:int -> t -> int -> unit
(** [acquire_by wait ~n t holder] is the same where not enough are free, with a function of {!Wait}.
    In a section. *)

val release : n:int -> t -> bool
(** [release ~n t] gives [n] permits back; [false] if there are too many. Never waits. Needs some
    stack: see [Section.reserve_stack]. *)

val protect : n:int -> t -> int -> (unit -> 'a) -> 'a
(** [protect ~n t holder f] is [f ()], with [n] permits for [holder], which are given back in any
    case. *)
