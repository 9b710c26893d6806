(** How programs scale on simulated processors. *)

open Drover_sim_programs

type estimate =
  | Low
  | Middle
  | High
      (** The type for what is assumed of accesses to lines, wake-ups and collections: see
          {!Drover_machine.Model.low}. *)

type settings = {
  machine : int -> Drover_machine.Model.t;  (** with so many processors *)
  processors : int list;
  scaling : Program.scaling;
  estimates : estimate list;
  seed : int;
  neighbours : int;  (** busy processes of somebody else's *)
}
(** The type for what to simulate. *)

type run = {
  processors : int;
  estimate : estimate;
  sized : Program.sized;
  measured : (Measure.t, string) result;  (** or why it has no end *)
}
(** The type for runs of a program. *)

type t = { program : Program.t; runs : run list }
(** The type for programs with their runs: by the number of processors, then by the estimate. *)

val of_program : settings -> Program.t -> t
(** [of_program settings p] runs [p] once for each number of processors and each estimate. *)

val log : settings -> Program.t -> processors:int -> Drover_machine.Log.entry list
(** [log settings p ~processors] is who did what when [p] ran on so many processors, by the middle
    estimate. *)

val speed_up : run -> float option
(** [speed_up r] is the work of the program over the time that the run took. *)

val is_right : t -> bool
(** [is_right t] is whether each run has ended, with the right result. *)

val name_of_estimate : estimate -> string
(** [name_of_estimate e] is ["low"], ["middle"] or ["high"]. *)
