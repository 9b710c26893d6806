(** Sets of small integers that any number of tasks, threads and domains may change at once: visited
    nodes, numbers in use.

    An element takes a bit and a half of memory. A look-up is a load, and a change a
    compare-and-set. All functions may be called from anywhere. {!clear}, {!cardinal} and
    {!to_array} suspend or block until their loops have ended; the others never wait. *)

type t
(** The type for sets of integers from 0 to a length. *)

val create : int -> t
(** [create n] is an empty set for the integers from 0 to [n - 1]. Raises [Invalid_argument] if
    [n < 0], or if it is too large for any array. *)

val length : t -> int
(** [length s] is [n], where [s] was made by [create n]. *)

val add : t -> int -> bool
(** [add s i] adds [i] to [s], and is [true] iff it was not in [s] before: of several callers that
    add [i] at once, exactly one gets [true]. Raises [Invalid_argument] unless [0 <= i < length s],
    as do {!remove} and {!mem}. *)

val remove : t -> int -> bool
(** [remove s i] removes [i] from [s], and is [true] iff it was in [s]: of several callers that
    remove [i] at once, exactly one gets [true]. *)

val mem : t -> int -> bool
(** [mem s i] is [true] iff [i] is in [s]. *)

val clear : t -> unit
(** [clear s] removes all elements, except those that are added meanwhile. Work O([length s]), in
    parallel. *)

(** The following are exact if nobody changes [s] meanwhile. Work O([length s]), in parallel. *)

val cardinal : t -> int
(** [cardinal s] is the number of integers in [s]. *)

val to_array : t -> int array
(** [to_array s] is the array of the integers in [s], in increasing order. *)
