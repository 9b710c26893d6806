(** Pieces of a string: its lines, and its words. *)

val next : char -> string -> int -> int -> int
(** [next c s i n] is the first place of [c] in [s] from [i] to [n - 1], or [n]. *)

val lines : string -> ('acc -> string -> 'acc) -> 'acc -> int -> int -> 'acc
(** [lines s step acc lo hi] is [step acc] of each line of [s] that starts from [lo] to [hi]. *)

val words : string -> ('acc -> string -> 'acc) -> 'acc -> int -> int -> 'acc
(** [words s step acc lo hi] is the same of each word. *)

val count_lines : string -> int -> int -> int
(** [count_lines s lo hi] is how many lines of [s] start from [lo] to [hi]. *)

val count_words : string -> int -> int -> int
(** [count_words s lo hi] is how many words do. *)
