(** A body over 0..n-1, in parallel where that pays.

    Any thread; suspends, and raises, as [Loops.range] does. Intervals are inclusive. *)

val over : int -> (int -> int -> unit) -> unit
(** [over n body] is [body] on intervals that make up 0..n-1. *)

val light : int -> (int -> int -> unit) -> unit
(** [light n body] is the same for bodies of a few instructions an element, where time need not be
    taken. *)

val rest : (int -> int -> unit) -> from:int -> int -> unit
(** [rest body ~from n] is [body] on intervals that make up from..n-1, by a loop in any case. *)

(** {1 The caller first} *)

val is_short : int -> bool
(** [is_short n] is whether the caller is to begin, without a loop, with the first of [n] elements.
*)

val split : int -> 'a -> ('a -> int -> int -> 'a) -> (int -> 'b) -> 'a * 'b
(** [split n acc step rest] has the caller fold [step acc lo hi] over more and more of 0..n-1, until
    another begins with [rest from] what it has not begun yet, [from..n-1]; [from] may be [n]. The
    first result is of the elements before [from]. *)

(** {1 For others that begin so} *)

val is_due : unit -> bool
(** [is_due ()] is whether a caller outside a task is to wake the pool at once, as that was not done
    lately; it counts as done then. *)

val is_looked_for : since:float -> bool
(** [is_looked_for ~since] is whether a caller that has begun is to leave the rest to a loop:
    outside a task it began at [since], else that is 0. *)

val tasks : int
(** [tasks] is up to how many elements each is begun by itself: they may be whole tasks that wait
    for each other. *)

val few : int
(** [few] is up to how many elements each can be an iteration of its own. *)

val block : int
(** [block] is within how many elements a cancelled task stops. *)
