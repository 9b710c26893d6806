(** Times of items that differ much. *)

val times : Random.State.t -> int -> mean:float -> spread:float -> float array
(** [times random n ~mean ~spread] is [n] lognormal times in seconds. *)
