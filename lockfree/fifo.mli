(** Immutable queues whose every step is short. *)

type 'a t
(** The type for queues of ['a]. *)

val empty : 'a t
(** [empty] is the empty queue. *)

val is_empty : 'a t -> bool
(** [is_empty q] is [true] iff nothing is in [q]. O(1). *)

val push : 'a t -> 'a -> 'a t
(** [push q x] is [q] with [x] at its end. Amortised O(1), at most O(log n). *)

val pop : 'a t -> ('a * 'a t) option
(** [pop q] is the oldest item of [q], and the others. Amortised O(1), at most O(log n). *)
