(** How often each word of a text occurs. *)

type t = (string * int) list
(** The type for words and how often each occurs, the most frequent first. *)

val serial : string -> t
(** [serial text] is the words of [text], in small letters, digits and underscores. *)

val kernel : Drover_harness.Kernel.t
(** [kernel] is the benchmark. *)
