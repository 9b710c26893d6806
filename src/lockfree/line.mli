(** Waiting lines: immutable queues that one may also leave from the middle. O(log n), but for
    {!length}, {!ticket} and {!to_list}. *)

type 'w t
(** The type for lines of ['w]. *)

val empty : 'w t
(** [empty] is the empty line. *)

val length : 'w t -> int
(** [length l] is how many are in [l]. *)

val ticket : 'w t -> int
(** [ticket l] is the ticket of the one that joins [l] next, by which it is found again. *)

val join : 'w t -> 'w -> 'w t
(** [join l w] is [l] with [w] at its end. *)

val without : 'w t -> int -> 'w -> 'w t
(** [without l ticket w] is [l] without [w], which joined with that ticket; physically [l] if it is
    not there. *)

val first : 'w t -> 'w
(** [first l] is the one that came first. [l] is not empty. *)

val others : 'w t -> 'w t
(** [others l] is [l] without that one. *)

val to_list : 'w t -> 'w list
(** [to_list l] is all of them, in order of arrival. *)
