(** Locks for tasks and threads.

    A task that waits for a lock suspends, and its worker goes on; a thread outside any task blocks.
    Both may use one mutex. An uncontended lock and unlock cost about what those of OCaml's own
    mutexes do.

    A task must not end while it holds a mutex. If it does, it fails with an [Invalid_argument] that
    names the mutex, which is unlocked. What a fork or an iteration has locked it should unlock
    itself: it counts as a task when another worker runs it. *)

type t
(** The type for mutexes. *)

val create : ?name:string -> unit -> t
(** [create ()] is an unlocked mutex. [name] appears in error messages. *)

val name : t -> string
(** [name m] is the name of [m]. *)

val lock : t -> unit
(** [lock m] locks [m]. Suspends or blocks while it is locked; at first, where another domain may be
    about to unlock it, the caller spins for some microseconds. Those who wait are called in order
    of arrival, but others may lock an unlocked mutex before they come; so short sections do not
    wait for tasks to wake up. A task that is called goes on before other work of its pool. One that
    was passed for five milliseconds, or ten thousand times, is handed the mutex by the next
    {!val-unlock}. A task that locks a mutex which it holds itself waits until another unlocks it. A
    lock that raises leaves [m] unlocked. *)

val try_lock : t -> bool
(** [try_lock m] locks [m] and is [true] if [m] is unlocked, and is [false] otherwise. Never waits.
*)

val unlock : t -> unit
(** [unlock m] unlocks [m]. From any task or thread, also one that has not locked it. Never waits.
    Raises [Invalid_argument] if [m] is not locked. If something else raises out of it, such as a
    signal's handler, it has unlocked [m], or has not begun. *)

val is_locked : t -> bool
(** [is_locked m] is [true] iff [m] was locked at some moment of the call. Never waits. *)

val protect : t -> (unit -> 'a) -> 'a
(** [protect m f] is [f ()], called while [m] is locked for it. Suspends or blocks. Raises what [f]
    raises, with its backtrace; [m] is unlocked in any case, whatever raises, and wherever. *)

(**/**)

val not_locked : string -> t -> unit
(** [not_locked caller m] raises [Invalid_argument]. *)

type pause = { unlock : unit -> unit; is_unlocked : unit -> bool; lock : unit -> unit }
(** The type for what a wait at a condition does to its mutex. *)

val pause : t -> pause
(** [pause m] is for a caller that holds [m]. *)
