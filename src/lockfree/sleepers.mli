(** The workers that sleep, or are about to.

    Protocol:

    {v
    A worker that has found no work              A waker
    1. announces itself                          1. adds work
    2. looks for work once more                  2. finds the first sleeper, removes it, and wakes it
    3. sleeps until it is woken, or removes
       itself
    v}

    Where the work is in atomics, all of this is sequentially consistent, so the worker's second
    look finds the work, or [first] finds the worker: no wake-up is lost. For what is plain, see
    [Scheduler.sleep]. Any domain; lock-free. *)

type t
(** The type for sets of sleepers. *)

val create : int -> t
(** [create n] is the empty set, for workers with numbers below [n]. *)

val announce : t -> int -> unit
(** [announce s i] adds worker [i], which is not in [s]. Without a safepoint. *)

val nobody : int
(** [nobody] is no worker's number. *)

val first : t -> int
(** [first s] is one of them, or {!nobody}, if there was none at some moment of the call. *)

(** How the removal of a worker ended. *)
type removal =
  | Removed
  | Gone  (** it was not there *)
  | Disturbed  (** another has come or gone just then: to be tried again *)

val try_to_remove : t -> int -> removal
(** [try_to_remove s i] takes [i] out of [s], for the caller to wake it. Without a safepoint. *)

val remove : t -> int -> bool
(** [remove s i] takes [i] out of [s]; [false] if it is gone: then it is being woken, and sees to it
    that what it was woken for is done, by itself or by another. *)

val is_empty : t -> bool
(** [is_empty s] is whether nobody sleeps. *)

val length : t -> int
(** [length s] is how many sleep. *)
