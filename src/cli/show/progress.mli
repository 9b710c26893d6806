(** One line on the terminal that says what is running, which one of how many that is, and how long
    the rest may take; nothing if [stderr] is no terminal. *)

type t
(** The type for such lines. *)

val on_terminal : unit -> t
(** [on_terminal ()] is the line on [stderr]. *)

val begins : t -> int -> unit
(** [begins t n] starts the clock: [n] steps are to come. *)

val next : t -> unit
(** [next t] begins the next step. *)

val report : t -> string -> unit
(** [report t what] shows [what]. *)

val clear : t -> unit
(** [clear t] removes the line. *)
