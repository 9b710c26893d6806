(** Locks for tasks and threads.

    A task that waits for a lock suspends, and its worker goes on; a thread outside any task blocks.
    Both may use one mutex. An uncontended lock and unlock cost about what those of OCaml's own
    mutexes do.

    A task must not end while it holds a mutex. If it does, it fails with an [Invalid_argument] that
    names the mutex, which is lost: from then on {!lock} and {!try_lock} raise [Invalid_argument],
    which names it too. What a fork or an iteration has locked it should unlock itself: it counts as
    a task when another worker runs it. *)

type t
(** The type for mutexes. *)

val create : ?name:string -> unit -> t
(** [create ()] is an unlocked mutex. [name] appears in error messages. *)

val name : t -> string
(** [name m] is the name of [m]. *)

val lock : t -> unit
(** [lock m] locks [m]. Suspends or blocks while it is locked. An unlocked mutex passes to those who
    wait in order of arrival, before anybody else can lock it. A task that locks a mutex which it
    holds itself waits until another unlocks it. *)

val try_lock : t -> bool
(** [try_lock m] locks [m] and is [true] if [m] is unlocked, and is [false] otherwise. Never waits.
*)

val unlock : t -> unit
(** [unlock m] unlocks [m]. From any task or thread, also one that has not locked it. Never waits.
    Raises [Invalid_argument] if [m] is not locked. *)

val is_locked : t -> bool
(** [is_locked m] is [true] iff [m] was locked at some moment of the call. Never waits. *)

val protect : t -> (unit -> 'a) -> 'a
(** [protect m f] is [f ()], called while [m] is locked for it. Suspends or blocks. Raises what [f]
    raises, with its backtrace; [m] is unlocked in any case. *)

(**/**)

val lock_in_any_case : t -> unit
(** [lock_in_any_case m] is [lock m], also if the calling task is cancelled. *)
