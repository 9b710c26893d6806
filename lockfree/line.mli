(** Waiting lines: immutable queues that one may also leave from the middle. *)

type 'w place = private { who : 'w; mutable ticket : int }
(** The type for the places of ['w] in a line. A place knows where it is before it is there: so
    whoever is interrupted while it joins can leave all the same. *)

type 'w t
(** The type for lines of ['w]. *)

val place : 'w -> 'w place
(** [place w] is a place for [w], in no line yet. *)

val empty : 'w t
(** [empty] is the empty line. *)

val is_empty : 'w t -> bool
(** [is_empty l] is [true] iff nobody is in [l]. *)

val length : 'w t -> int
(** [length l] is how many are in [l]. O(1). *)

val join : 'w t -> 'w place -> 'w t
(** [join l place] is [l] with [place] at its end. A place joins lines one after the other, each
    made from one that it is not in. O(log n). *)

val leave : 'w t -> 'w place -> 'w t
(** [leave l place] is [l] without [place]; physically [l] if it is not there. O(log n). *)

val first : 'w t -> 'w place option
(** [first l] is the place of whoever came first. O(log n). *)

val next : 'w t -> ('w place * 'w t) option
(** [next l] is {!first}, and the others. O(log n). *)

val to_list : 'w t -> 'w place list
(** [to_list l] is all of them, in order of arrival. *)
