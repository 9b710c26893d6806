(** The k-th smallest element. *)

val kth_smallest : ('a -> 'a -> int) -> int -> 'a array -> 'a
(** [kth_smallest] is that of [Arrays]. *)
