(** Counting semaphores: tasks and threads wait for one of a number of permits. *)

type t
(** The type for semaphores. *)

val create : int -> t
(** [create n] is a semaphore with [n] permits. Raises [Invalid_argument] if [n < 0]. *)

val acquire : t -> unit
(** [acquire s] takes a permit. Suspends or blocks until there is one. Waiters are woken in order of
    arrival, but others may take a free permit until a waiter has resumed, as with [Mutex.lock]. An
    [acquire] that raises has taken no permit. *)

val try_acquire : t -> bool
(** [try_acquire s] takes a permit and is [true] if one is free, and is [false] otherwise. Never
    waits. *)

val release : t -> unit
(** [release s] gives a permit back, or adds a new one. From any task or thread. Never waits. Raises
    [Invalid_argument] if [max_int] permits are free. *)

val free : t -> int
(** [free s] is the number of permits that were free at some moment of the call. Never waits. *)

val protect : t -> (unit -> 'a) -> 'a
(** [protect s f] is [f ()], called with a permit that is given back when [f] ends or raises.
    Suspends or blocks as {!acquire} does. Raises what [f] raises, with its backtrace. *)
