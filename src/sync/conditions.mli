(** Condition variables, to be used with a mutex: waits for something to change that the mutex
    guards. Tasks and threads may wait at the same one. *)

type t
(** The type for condition variables. *)

val create : unit -> t
(** [create ()] is a condition variable that nobody waits for. *)

val wait : t -> Mutexes.t -> unit
(** [wait c m] unlocks [m], waits until [c] is signalled, and locks [m] again; a signal that comes
    after the unlock is not missed. Suspends or blocks. The caller holds [m], and looks again after
    the wait whether what it waits for is true, in a loop: another may have been faster. [m] is
    locked again also when the wait raises. Raises [Invalid_argument] if [m] is not locked. A signal
    that comes too late for a wait that raises goes to the next. *)

val signal : t -> unit
(** [signal c] wakes whoever has waited longest for [c], if anybody waits. Never waits. *)

val broadcast : t -> unit
(** [broadcast c] wakes all who wait for [c]. Never waits. *)
