(** Condition variables, for waiting until something changes that a mutex guards. Tasks and threads
    may wait for the same one. *)

type t
(** The type for condition variables. *)

val create : unit -> t
(** [create ()] is a condition variable that nobody waits for. *)

val wait : t -> Locks.Mutex.t -> unit
(** [wait c m] unlocks [m], waits until [c] is signalled, and locks [m] again; a signal that comes
    after the unlock is not missed. Suspends or blocks. The caller must hold [m], and must check in
    a loop whether what it waits for is true: another may have been faster. [m] is locked again even
    if the wait raises. Raises [Invalid_argument] if [m] is not locked. If a wait raises while it is
    being signalled, the signal goes to the next waiter. *)

val signal : t -> unit
(** [signal c] wakes the one that has waited longest for [c], if anybody waits. From any thread;
    never waits. *)

val broadcast : t -> unit
(** [broadcast c] wakes all who wait for [c]. From any thread; never waits. *)
