(** Queues whose items are served in batches, by one server at a time. *)

type 'a t
(** The type for queues of ['a] with the right to serve them. *)

val create : unit -> 'a t
(** [create ()] is an empty queue that nobody serves. *)

val enter_if_free : 'a t -> bool
(** [enter_if_free q] takes the right to serve [q], if [q] is empty and nobody has it. Any domain.
    Never waits. *)

val enter : ?most:int -> 'a t -> bool
(** [enter q] takes the right to serve [q], if there are items and nobody has it; with [most], only
    if there are no more items than that. Any domain. Lock-free. *)

val is_busy : 'a t -> bool
(** [is_busy q] is [true] iff somebody served [q], and nothing was queued meanwhile, at some moment
    of the call. Any domain. Never waits. *)

val length : 'a t -> int
(** [length q] is how many items were queued at some moment of the call. Any domain. Never waits. *)

(** What became of an item. *)
type added =
  | Entered  (** it was not queued: the caller has the right to serve *)
  | Queued
  | Enough  (** queued while nobody serves, as the last of a number that makes a batch *)

val enter_or_add : 'a t -> enough:int -> 'a -> added
(** [enter_or_add q ~enough x] is {!enter_if_free}, and puts [x] into [q] if that is [false]. Any
    domain. Lock-free. *)

val take : 'a t -> max:int -> 'a array
(** [take q ~max] takes the oldest items of [q], up to [max] of them, oldest first. Server only.
    Never waits. *)

val leave : 'a t -> int
(** [leave q] gives the right back, and is the number of items that are left. If there are any, the
    caller must see to it that somebody enters. Server only. Lock-free. *)
