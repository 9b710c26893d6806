(** Queues whose items are served in batches, by one server at a time. *)

type 'a t
(** The type for queues of ['a] with the right to serve them. *)

val create : unit -> 'a t
(** [create ()] is an empty queue that nobody serves. *)

val serve_if_free : 'a t -> bool
(** [serve_if_free q] takes the right to serve [q], if [q] is empty and nobody has it. Any domain.
    Never waits. *)

val serve_left : 'a t -> most:int -> bool
(** [serve_left q ~most] takes the right to serve [q], if there are items, [most] at the most, and
    nobody has it. Any domain. Lock-free. *)

val is_busy : 'a t -> bool
(** [is_busy q] is [true] iff [q] had a server, and nothing was queued meanwhile, at some moment of
    the call. Any domain. Never waits. *)

val left : 'a t -> int
(** [left q] is how many items were queued at some moment of the call, if [q] had no server then,
    and 0 otherwise. Any domain. Never waits. *)

val add : 'a t -> 'a -> bool
(** [add q x] puts [x] into [q], if there are items or a server; [false] otherwise, as
    {!serve_if_free} may succeed. Any domain. Lock-free. *)

val take : 'a t -> max:int -> 'a array
(** [take q ~max] takes a batch out of [q], the oldest items, up to [max] of them, oldest first; or
    is the batch that was taken and has not ended. Server only. Lock-free. *)

val end_batch : 'a t -> unit
(** [end_batch q]: the batch that was taken was served. Server only. Never waits. *)

val stop_if_alone : 'a t -> bool
(** [stop_if_alone q] gives the right back, and is [true], if nothing came since {!serve_if_free}.
    Server only. In one step. *)

val stop_serving : 'a t -> int
(** [stop_serving q] gives the right back, and is how many items are left. If there are any, the
    caller sees to it that they get a server. Server only. Lock-free. *)
