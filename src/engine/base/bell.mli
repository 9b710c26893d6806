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

val park : ?requests:Poll.request array -> t -> until:float -> unit
(** [park b ~until] blocks the calling thread until that time of the [System.now] at most, or until
    one of [requests] is not waiting any more; they are as {!Poll.wait} wants them. Raises what a
    signal's handler does. *)
