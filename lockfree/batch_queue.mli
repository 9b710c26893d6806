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

val left : 'a t -> int
(** [left q] is [length q] if nobody served [q] at that moment, and 0 otherwise. *)

val add : 'a t -> 'a -> bool
(** [add q x] puts [x] into [q], if there are items or somebody serves; [false] otherwise, as
    {!enter_if_free} may succeed. Any domain. Lock-free. *)

val take : 'a t -> max:int -> 'a array
(** [take q ~max] takes the oldest items out of [q], up to [max] of them, oldest first. Server only.
    Lock-free. *)

val leave : 'a t -> int
(** [leave q] gives the right back, and is how many items are left. If there are any, the caller
    sees to it that somebody enters. Server only. Lock-free. *)
