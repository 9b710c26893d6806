(** Maps with a journal, and how many of their items were computed. *)

val map : ?seconds:float -> string -> bool
(** [map folder] is whether a map of 100 items has the right results. Its journal is in [folder],
    and an item takes [seconds] (default: a millisecond). *)

val journal : string -> string
(** [journal folder] is the journal of {!map}. *)

val computed : string -> (unit -> 'a) -> 'a * int
(** [computed folder f] is [f ()], and how many items of {!map} were computed meanwhile. *)

val in_ranks : (unit -> bool) -> unit
(** [in_ranks f] is [f ()] in two ranks of two domains. The program ends with code 1 if that is
    false. *)
