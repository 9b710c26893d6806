(** Pieces of a string: its lines, and its words. *)

val next : char -> string -> int -> int -> int
(** [next c s i n] is the first place of [c] in [s] from [i] to [n - 1], or [n]. *)

val lines : string -> ('acc -> string -> 'acc) -> 'acc -> int -> int -> 'acc
(** [lines s step acc lo hi] is [step acc] of each line of [s] that starts from [lo] to [hi]. *)

val words : string -> ('acc -> string -> 'acc) -> 'acc -> int -> int -> 'acc
(** [words s step acc lo hi] is the same of each word. *)
