(** Runs a program and listens to its runtime events meanwhile. *)

type outcome = {
  status : Unix.process_status;
  seconds : float;  (** wall *)
  cpu : float;  (** seconds of processor time *)
  lost : int;  (** words of events that were overwritten before they were read *)
  hears_drover : bool;  (** whether any event was Drover's *)
}
(** The type for what is known of a program that has ended. *)

val run : Program.t -> on_lost:(int -> unit) -> Event.listener -> (outcome, string) result
(** [run program ~on_lost listen] is the outcome of [program]. It has the caller's standard input
    and outputs. [on_lost ring] is told when events of [ring] were lost. The error says why there
    are no events to read. *)

val exit_code : outcome -> int
(** [exit_code outcome] is the program's own, or 128 and the number of the signal that ended it. *)
