(** A body over 0..n-1, in parallel where that pays.

    Any thread; suspends, and raises, as [Loops.range] does. Intervals are inclusive. *)

val over : int -> (int -> int -> unit) -> unit
(** [over n body] is [body] on intervals that make up 0..n-1. *)

val light : int -> (int -> int -> unit) -> unit
(** [light n body] is the same for bodies of a few instructions an element, where time need not be
    taken. *)

val rest : (int -> int -> unit) -> from:int -> int -> unit
(** [rest body ~from n] is [body] on intervals that make up from..n-1, in parallel in any case. *)

(** {1 For others that take the time} *)

val lead : 'a -> at_once:bool -> int -> ('a -> int -> int -> 'a) -> 'a * int
(** [lead acc ~at_once n step] folds [step acc lo hi] over more and more of 0..n-1, until that takes
    long, and is the result and the first that is left; [acc] and [0] if that is [at_once]. *)

val is_for_all : int -> bool
(** [is_for_all n] is whether the first of [n] elements need not be run apart: there are many, or
    the caller is part of a task. *)

val in_task : unit -> bool
(** [in_task ()] is whether the caller is part of a task. *)

val is_due : float -> bool
(** [is_due now] is whether the pool is to be woken at once, as it was not lately; it counts as
    woken then. *)

val patience : float
(** [patience] is for how many seconds the first elements are run before that. *)

val many : int
(** [many] is from how many elements on no time is taken. *)

val few : int
(** [few] is up to how many elements each can be an iteration of its own. *)

val block : int
(** [block] is within how many elements a cancelled task stops. *)
