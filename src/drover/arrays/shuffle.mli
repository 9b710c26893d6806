(** A random permutation that depends on the seed and the length only. *)

val shuffle : seed:int -> 'a array -> 'a array
(** [shuffle] is that of [Arrays]. *)
