(** A terminal that shows one text at a time, and what was there before in the end. *)

type t

val use : (t -> 'a) -> 'a
(** [use f] is [f screen]. Standard output is a terminal; keys that are pressed are not shown. The
    terminal is as before when [f] ends or raises, and while the user has stopped the command
    (Ctrl-Z). *)

val show : t -> string -> unit
(** [show screen text] shows [text], as far as there is room. *)

val key : unit -> char option
(** [key ()], while a screen is used, is a key that was pressed, if standard input is a terminal.
    Never waits. *)
