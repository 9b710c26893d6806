(** Asks a program that runs with DROVER_DEBUG what it is at. *)

type answer =
  | Whole of string
  | Part of string  (** the rest did not come in time *)
  | None_came  (** in time *)
  | Ended  (** the program did before it answered *)
  | No_way of string  (** why no socket can be made in its folder for temporary files *)

(** The type for what the program says. *)

val limit : float
(** [limit] is for how many seconds {!ask} waits at most. *)

val ask : int -> answer
(** [ask pid] is the answer of the process [pid]. Raises [Sys.Break] if the user interrupts. *)
