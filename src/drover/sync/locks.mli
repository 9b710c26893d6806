(** Turnstiles that users know: mutexes, semaphores, read-write locks. *)

module Mutex : sig
  (** Locks for tasks and threads.

      A task that waits for a mutex suspends, and its worker runs other tasks; a thread outside any
      task blocks. Tasks and threads may share one mutex. Locking and unlocking without contention
      cost about as much as with OCaml's own mutexes.

      A task must not end while it holds a mutex. If it does, it fails with an [Invalid_argument]
      that names the mutex, and the mutex is unlocked. A fork or an iteration should unlock what it
      has locked: it counts as a task of its own if another worker runs it. *)

  type t
  (** The type for mutexes. *)

  val create : ?name:string -> unit -> t
  (** [create ()] is an unlocked mutex. [name] appears in error messages. From anywhere; never
      waits. *)

  val lock : t -> unit
  (** [lock m] locks [m]. Suspends or blocks while [m] is locked. Where another domain may be about
      to unlock [m], the caller first spins for some microseconds.

      Waiters are woken in order of arrival, and resume ahead of their pool's other work. Until a
      waiter has resumed, others may lock the unlocked mutex: so short critical sections need not
      wait for a task to wake up. A waiter that has been overtaken for five milliseconds, or ten
      thousand times, gets the mutex from the next {!val-unlock}. A lock that raises leaves [m] as
      it was. Raises [Invalid_argument] if the caller, a task or a thread outside of tasks, has
      locked [m] already: the mutex is not recursive. *)

  val try_lock : t -> bool
  (** [try_lock m] locks [m] and is [true] if [m] is unlocked, and is [false] otherwise. Never
      waits. *)

  val unlock : t -> unit
  (** [unlock m] unlocks [m]. From any task or thread, even one that did not lock it. Never waits.
      Raises [Invalid_argument] if [m] is not locked. *)

  val is_locked : t -> bool
  (** [is_locked m] is [true] iff [m] was locked at some moment of the call. Never waits. *)

  val protect : t -> (unit -> 'a) -> 'a
  (** [protect m f] is [f ()], called with [m] locked. Suspends or blocks as {!val-lock} does.
      Raises what [f] raises, with its backtrace. [m] is unlocked in any case. *)
end

module Semaphore : sig
  (** Counting semaphores: tasks and threads wait for one or more of a number of permits. *)

  type t
  (** The type for semaphores. *)

  val create : int -> t
  (** [create n] is a semaphore with [n] permits. Raises [Invalid_argument] if [n < 0]. *)

  val acquire : ?n:int -> t -> unit
  (** [acquire ~n s] takes [n] permits (default: 1), all at once. Suspends or blocks until there are
      as many. Waiters are woken in order of arrival, but others may take a free permit until a
      waiter has resumed, as with [Mutex.lock]. Where the waiter whose turn it is needs several,
      nobody else takes any: permits gather until there are enough for it. An [acquire] that raises
      has taken no permit. Raises [Invalid_argument] if [n < 1], or if [n] is more than one and more
      than the permits that [s] was created with. *)

  val try_acquire : ?n:int -> t -> bool
  (** [try_acquire ~n s] takes [n] permits (default: 1) and is [true], if they are free and no
      waiter needs several; otherwise it is [false]. Never waits. Raises as {!acquire} does. *)

  val release : ?n:int -> t -> unit
  (** [release ~n s] gives [n] permits (default: 1) back, or adds new ones. From any task or thread.
      Never waits. Raises [Invalid_argument] if [n < 1], or if more than [max_int] permits would be
      free. *)

  val free : t -> int
  (** [free s] is the number of permits that were free at some moment of the call. Never waits. *)

  val protect : ?n:int -> t -> (unit -> 'a) -> 'a
  (** [protect ~n s f] is [f ()], called with [n] permits (default: 1) that are given back when [f]
      ends or raises. Suspends or blocks, and raises, as {!acquire} does. Raises what [f] raises,
      with its backtrace. *)

  (** {1 From the standard library}

      The interfaces of [Stdlib.Semaphore.Counting] and [Stdlib.Semaphore.Binary], which document
      them; but who waits is suspended, and served in order of arrival. *)

  module Counting : sig
    type nonrec t = t

    val make : int -> t
    val release : t -> unit
    val acquire : t -> unit
    val try_acquire : t -> bool
    val get_value : t -> int
  end

  module Binary : sig
    type t

    val make : bool -> t
    val release : t -> unit
    val acquire : t -> unit
    val try_acquire : t -> bool
  end
end

module Rwlock : sig
  (** Read-write locks: any number of readers at a time, or one writer.

      Readers and writers are served in order of arrival: a reader that comes while a writer is the
      first to wait goes behind it, so neither waits for ever. A lock is worth it where reading
      takes long, or waits; begin and end of a read are a step each on a word that all readers
      share, so short reads are no faster than under a [Mutex]. *)

  type t
  (** The type for read-write locks. *)

  val create : unit -> t
  (** [create ()] is a lock that nobody holds. From anywhere; never waits. *)

  val read : t -> (unit -> 'a) -> 'a
  (** [read l f] is [f ()], beside other readers of [l] and no writer. Suspends or blocks until
      there is no writer, and none that came before. Raises what [f] raises, with its backtrace. [f]
      must not use [l] again: where a writer waits in between, both would wait for ever. *)

  val write : t -> (unit -> 'a) -> 'a
  (** [write l f] is [f ()], beside no other reader and no writer of [l]. Suspends or blocks until
      there are none. Raises what [f] raises, with its backtrace. [f] must not use [l] again: it
      would wait for itself. *)
end

(** {1 For other modules of the library} *)

val unlock_for : string -> Mutex.t -> unit
(** [unlock_for caller m] is [Mutex.unlock m], for [caller], a function of [Drover]. *)

val lock_in_any_case : Mutex.t -> unit -> unit
(** [lock_in_any_case m ()] is [Mutex.lock m], also if the calling task is cancelled. In a section.
*)

val not_locked : string -> Mutex.t -> unit
(** [not_locked caller m] raises [Invalid_argument]. *)

val request : string -> ?n:int -> Semaphore.t -> int
(** [request caller s] is [n], or raises, for [caller], a function of [Semaphore], as
    [Semaphore.acquire] does. *)

val give_back : n:int -> Semaphore.t -> unit
(** [give_back ~n s] is [Semaphore.release ~n s], where the stack was reserved before. *)
