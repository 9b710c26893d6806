(** Permits, and the line of those who wait for one: what semaphores and mutexes share.

    A permit that is free may be taken by whoever comes by, also while others are in line: to hand
    it to somebody who is suspended would have all others wait until that one runs. Nobody is
    called: whoever gives a permit back while there is a line sees to those in it. *)

type 'w t
(** The type for permits that ['w] wait for. *)

val create : most:int -> int -> 'w t
(** [create ~most n] has [n] free permits, and never more than [most]. *)

val free : 'w t -> int
(** [free p] is how many permits are free. Any domain. Never waits. *)

(** {1 When nobody is in line}

    Any domain. Lock-free. One step: there is no safepoint after it. *)

val try_acquire : 'w t -> bool
(** [try_acquire p] takes a free permit, if there is one; also while others are in line. *)

(** What becomes of a permit that is given back. *)
type release =
  | Kept  (** it is free *)
  | Too_many  (** all permits are free already, and nothing has changed *)
  | Contended  (** there is a line, and nothing has changed *)

val release : 'w t -> release
(** [release p] gives a permit back, if nobody is in line. *)

val none_free : 'w t -> bool
(** [none_free p] is [true] iff no permit is free and nobody is in line. *)

val release_only : 'w t -> bool
(** [release_only p] gives a permit back, if few are free and nobody is in line; without a safepoint
    even before. *)

(** {1 When there is a line}

    Any domain. Lock-free. What moves a permit notes it in the caller's hand, in the same step. *)

type hand = { mutable held : int }
(** The type for permits that a call has taken and not put anywhere yet. *)

val take : 'w t -> hand -> bool
(** [take p hand] takes a free permit, if there is one. *)

val put : 'w t -> hand -> bool
(** [put p hand] makes one of those in [hand] free, unless all are. *)

val join : 'w t -> 'w Line.place -> hand -> unit
(** [join p place hand] takes a free permit, or else puts [place] at the end of the line. *)

val leave : 'w t -> 'w Line.place -> unit
(** [leave p place] takes [place] out of the line, if it is there. *)

val waiting : 'w t -> int
(** [waiting p] is how many are in line, and at least 1. *)

val first : 'w t -> 'w Line.place option
(** [first p] is the place of whoever came first. *)
