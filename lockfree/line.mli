(** Waiting lines: immutable queues that one may also leave from the middle. *)

type 'w t
(** The type for lines of ['w]. *)

val empty : 'w t
(** [empty] is the empty line. *)

val is_empty : 'w t -> bool
(** [is_empty l] is [true] iff nobody is in [l]. *)

val length : 'w t -> int
(** [length l] is how many are in [l]. O(1). *)

val ticket : 'w t -> int
(** [ticket l] is the ticket of the one that joins [l] next. *)

val join : 'w t -> int -> 'w -> 'w t
(** [join l ticket w] is [l] with [w] at its end; [ticket] is [ticket l], which [w] remembers, to leave
    again. O(log n). *)

val leave : 'w t -> int -> 'w -> 'w t
(** [leave l ticket w] is [l] without [w], which had that ticket; physically [l] if it is not there.
    O(log n). *)

val first : 'w t -> 'w option
(** [first l] is the one that came first. O(log n). *)

val next : 'w t -> ('w * 'w t) option
(** [next l] is {!first}, and the line of the others. O(log n). *)

val to_list : 'w t -> 'w list
(** [to_list l] is all of them, in order of arrival. *)
