(** What a process and those below it do, as Linux tells it. *)

val below : int -> int list
(** [below pid] is that process, and all that it has started, directly or not; on other systems,
    only that. *)

val goes_on : int -> bool
(** [goes_on pid] is whether that process has neither ended nor been stopped; on other systems,
    whether it has not ended. *)

val threads : int -> string list
(** [threads pid] is a line for each thread of that process: its state as a letter (R runs, S
    sleeps), its processor time, and where in the system it sleeps. On other systems it is empty. *)
