(** A line on the terminal that says what is running. *)

type t
(** The type for progress lines. *)

val on_terminal : unit -> t
(** [on_terminal ()] writes to [stderr] if that is a terminal, and nowhere otherwise. *)

val report : t -> string -> unit
(** [report t what] replaces the line by [what]. *)

val clear : t -> unit
(** [clear t] removes the line. *)
