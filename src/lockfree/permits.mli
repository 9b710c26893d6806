(** Permits, and the line of those who wait for one: what semaphores and mutexes share.

    First come, first served: while somebody waits no permit is free, and each that is given back
    goes to the one who came first. Nobody is called: the caller of {!release} hands the permit
    over, and calls it again if nobody is there any more. *)

type 'w t
(** The type for permits that ['w] wait for. *)

val create : most:int -> int -> 'w t
(** [create ~most n] has [n] free permits, and never more than [most]. *)

val free : 'w t -> int
(** [free p] is how many permits are free. Any domain. Never waits. *)

val try_acquire : 'w t -> bool
(** [try_acquire p] takes a free permit, if there is one. Any domain. Lock-free. *)

(** What became of a wish for a permit. *)
type wish = Granted | Queued of int  (** with this ticket *)

val acquire : 'w t -> 'w -> wish
(** [acquire p w] takes a free permit, or puts [w] at the end of the line. Any domain. Lock-free. *)

val leave : 'w t -> int -> 'w -> unit
(** [leave p ticket w] takes [w] out of the line, if it is still there. Any domain. Lock-free. *)

(** What becomes of a permit that is given back. *)
type 'w gift =
  | Kept  (** it is free *)
  | For of 'w  (** who came first, and is out of the line now, is to have it *)
  | Too_many  (** all permits are free already, and nothing has changed *)

val release : 'w t -> 'w gift
(** [release p] gives a permit back. Any domain. Lock-free. *)
