(** Bells: where one thread is parked until somebody rings, a descriptor is ready, or a time has
    come.

    A ring that comes before ends it at once. A signal ends it too, so its handler runs; at the
    latest after a {!glance}. There may be reasons to wake up that nobody has given: the parked
    thread looks again whether it is time. *)

val glance : float
(** [glance] is how many seconds a thread is parked at a time, at most. *)

type t
(** The type for bells. *)

val create : unit -> t
(** [create ()] is a bell that nobody has rung. *)

val prepare : t -> unit
(** [prepare b] is to be called by the thread, before it says that it is parked here. *)

val ring : t -> unit
(** [ring b] wakes the thread, now or later. Any thread of any domain, also in the handler of a
    signal. Never waits. *)

val park :
  ?read:Unix.file_descr list ->
  ?write:Unix.file_descr list ->
  t ->
  until:float ->
  Unix.file_descr list * Unix.file_descr list
(** [park b ~until] blocks the calling thread until that time of the [System.now] at most, and is
    the lists of those of [read] and [write] that are ready. Raises [Unix_error EBADF] if one of
    them is closed, and what a signal's handler does. *)

val select :
  Unix.file_descr list ->
  Unix.file_descr list ->
  float ->
  Unix.file_descr list * Unix.file_descr list
(** [select read write seconds] is those of [read] and [write] that are ready within [seconds].
    Blocks the calling thread. A signal ends it. *)

val is_closed : Unix.file_descr -> bool
(** [is_closed descriptor] is whether the program has closed it. Never waits. *)
