(** Waiting lines: immutable queues that one may also leave from the middle. *)

type 'w t
(** The type for lines of ['w]. *)

val empty : 'w t
(** [empty] is the empty line. *)

val is_empty : 'w t -> bool
(** [is_empty l] is [true] iff nobody is in [l]. *)

val length : 'w t -> int
(** [length l] is how many are in [l]. O(1). *)

val join : 'w t -> 'w -> int * 'w t
(** [join l w] is [l] with [w] at its end, and [w]'s ticket. O(log n). *)

val leave : 'w t -> int -> 'w -> 'w t
(** [leave l ticket w] is [l] without [w], which got [ticket] in [l] or in a line before it;
    physically [l] if [w] is not there any more. O(log n). *)

val next : 'w t -> ('w * 'w t) option
(** [next l] is who came first, and the others. O(log n). *)

val to_list : 'w t -> 'w list
(** [to_list l] is all of them, in order of arrival. *)
