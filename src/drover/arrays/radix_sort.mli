(** Sorts by the bytes of an integer key; stable. *)

val by_key : ('a -> int) -> 'a array -> unit
(** [by_key] is [sort_by_key] of [Arrays]. *)

val scatter : int -> int -> (int -> int) -> (int -> int -> unit) -> int array
(** [scatter n values value move] calls [move i place] for all [i] of 0..n-1: by increasing
    [value i], a number below [values], and equal ones in order. It is the first place of each
    value. *)
