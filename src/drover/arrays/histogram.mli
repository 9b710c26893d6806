(** Counts by small integers. *)

val histogram : bins:int -> ('a -> int) -> 'a array -> int array
(** [histogram] is that of [Arrays]. *)
