(** Queues whose items are served in batches, by one server at a time. *)

type 'a t
(** The type for queues of ['a] with the right to serve them. *)

val create : unit -> 'a t
(** [create ()] is an empty queue that nobody serves. *)

val enter_if_empty : 'a t -> bool
(** [enter_if_empty q] takes the right to serve [q], if [q] is empty and nobody has it. Any domain.
    Never waits. *)

val enter : 'a t -> bool
(** [enter q] takes the right to serve [q], if nobody has it. Any domain. Lock-free. *)

val enter_or_add : 'a t -> 'a -> bool
(** [enter_or_add q x] is [enter_if_empty q] if that is [true]; otherwise it puts [x] into [q] and
    is [false]. Any domain. Lock-free. *)

val take : 'a t -> max:int -> 'a list
(** [take q ~max] takes the oldest items of [q], up to [max] of them, oldest first. Server only.
    Never waits. *)

val leave : 'a t -> bool
(** [leave q] gives the right back. If it is [true] items are left, and the caller must see to it
    that somebody enters. Server only. Lock-free. *)
