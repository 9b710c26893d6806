(** The workers that sleep, or are about to.

    Protocol:

    {v
    A worker that has found no work              A waker
    1. announces itself                          1. adds work
    2. looks for work once more                  2. chooses a sleeper, and wakes it
    3. sleeps until it is woken, or withdraws
    v}

    As all of this is sequentially consistent, the worker's second look finds the work, or [choose]
    finds the worker: no wake-up is lost. *)

type t
(** The type for sets of sleepers. *)

val create : unit -> t
(** [create ()] is the empty set. *)

val announce : t -> int -> unit
(** [announce s i] adds worker [i], which is not in [s]. Lock-free. *)

val withdraw : t -> int -> bool
(** [withdraw s i] takes worker [i] out of [s]; [false] if it was chosen before: then it is being
    woken, and sees to it that what it was woken for is done, by itself or by another. Lock-free. *)

val choose : t -> int
(** [choose s] takes a worker out of [s], for the caller to wake; the one that came last, whose
    caches are warmest. It is {!nobody} if there is none, and {!try_again} if another domain has
    just changed [s]. Without a safepoint. Any domain. *)

val nobody : int
val try_again : int

val is_empty : t -> bool
(** [is_empty s] is [true] iff nobody slept at some moment of the call. Any domain. Never waits. *)

val are_more_than : int -> t -> bool
(** [are_more_than n s] is whether more than [n] slept at some moment of the call. Any domain. Never
    waits. *)
