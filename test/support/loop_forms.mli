(** Every loop of Drover, for what must hold of each. *)

val over : int -> (string * ((int -> unit) -> unit)) list
(** [over n] is the loops, by name, as functions that call their argument for [0 .. n - 1]. *)
