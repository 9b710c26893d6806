(** Queues whose items are served in batches, by one server at a time.

    Whatever is raised in a function (see {!Critical}), it has done nothing, or the next one goes on
    with what it has begun. What is called one step has no safepoint and calls nothing. *)

type 'a t
(** The type for queues of ['a] with the right to serve them. *)

val create : unit -> 'a t
(** [create ()] is an empty queue that nobody serves. *)

val enter_if_free : 'a t -> bool
(** [enter_if_free q] takes the right to serve [q], if [q] is empty and nobody has it. One step. Any
    domain. Never waits. *)

val enter : ?most:int -> 'a t -> bool
(** [enter q] takes the right to serve [q], if there are items and nobody has it; with [most], only
    if there are no more items than that. Any domain. Lock-free. *)

val is_busy : 'a t -> bool
(** [is_busy q] is [true] iff somebody served [q], and nothing was queued meanwhile, at some moment
    of the call. Any domain. Never waits. *)

val length : 'a t -> int
(** [length q] is how many items were queued at some moment of the call. Any domain. Never waits. *)

val left : 'a t -> int
(** [left q] is [length q] if nobody served [q] at that moment, and 0 otherwise. *)

(** What became of an item. *)
type added =
  | At_rest  (** it was not queued, as {!enter_if_free} may succeed *)
  | Queued
  | Enough  (** queued while nobody serves, as the last of a number that makes a batch *)

val add : 'a t -> enough:int -> 'a -> added
(** [add q ~enough x] puts [x] into [q], if there are items or somebody serves. Any domain.
    Lock-free. *)

val oldest : 'a t -> max:int -> 'a array
(** [oldest q ~max] is the oldest items of [q], up to [max] of them, oldest first. They stay. Server
    only. Lock-free. *)

val drop : 'a t -> int -> unit
(** [drop q n] takes the [n] oldest items out of [q], which are some of those of the latest call of
    {!oldest}. One step. Server only. Never waits. *)

type 'a exit
(** The type for what a server leaves. *)

val exit : 'a t -> 'a exit
(** [exit q] is what is left now. Server only. Never waits. *)

val leave_by : 'a t -> 'a exit -> bool
(** [leave_by q exit] gives the right back; [false] if more was queued since [exit]. If items are
    left, the caller must see to it that somebody enters. One step. Server only. *)

val leave_if_empty : 'a t -> bool
(** [leave_if_empty q] gives the right back, for a server that has entered by {!enter_if_free}, if
    nothing was queued since. One step. Server only. *)
