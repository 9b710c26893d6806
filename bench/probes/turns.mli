(** Versions that take turns, so that a noisy moment of the machine hits all alike. *)

val medians : int -> (unit -> 'a) list -> float list
(** [medians times versions] is the median time of each version, in seconds. *)
