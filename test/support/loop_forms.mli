(** Every loop of Drover, for what must hold of each. *)

type loop = ?grain:int -> (int -> unit) -> unit
(** The type for loops, as functions that call their argument for each integer. *)

val with_grain : int -> (string * loop) list
(** [with_grain n] is the loops over [0 .. n - 1], by name. *)

val over : int -> (string * ((int -> unit) -> unit)) list
(** [over n] is the same, with the grain that the library chooses. *)
