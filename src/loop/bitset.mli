(** Sets of small integers that any number of tasks, threads and domains may change at a time: marks
    of nodes, numbers that are taken.

    An element takes a bit and a half. To look takes a load, to change a compare-and-set. No
    function but {!clear} waits. *)

type t
(** The type for sets of integers from 0 to a length. *)

val create : int -> t
(** [create n] is an empty set for the integers from 0 to [n - 1]. Raises [Invalid_argument] if
    [n < 0]. *)

val length : t -> int
(** [length s] is [n], where [s] was made by [create n]. *)

val add : t -> int -> bool
(** [add s i] adds [i] to [s], and is [true] iff it was not in [s] before: of several that add [i]
    at a time, one is told so. Raises [Invalid_argument] unless [0 <= i < length s]; so below. *)

val remove : t -> int -> bool
(** [remove s i] removes [i] from [s], and is [true] iff it was in [s]: of several, one is told so.
*)

val mem : t -> int -> bool
(** [mem s i] is [true] iff [i] is in [s]. *)

val clear : t -> unit
(** [clear s] removes all that nobody adds meanwhile. Work O([length s]), in parallel. *)

(** The following are exact while nobody changes [s]. Work O([length s]), in parallel. *)

val cardinal : t -> int
(** [cardinal s] is the number of integers in [s]. *)

val to_array : t -> int array
(** [to_array s] is the integers in [s], in increasing order. *)
