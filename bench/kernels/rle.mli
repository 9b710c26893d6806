(** Patterns of Conway's Life in run-length encoding, as exchanged on the web: a header
    [x = 3, y = 3, rule = B3/S23], then runs of [b] (dead), [o] (alive) and [$] (end of line), up to
    [!]. *)

type t = { width : int; height : int; alive : (int * int) list  (** column, row *) }
(** The type for patterns. *)

val parse : string -> (t, string) result
(** [parse text] is the pattern of [text]; the error names the line. *)

val read : string -> (t, string) result
(** [read file] is the pattern in [file]; the error names the file. *)
