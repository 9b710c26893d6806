(** Small measurements of one property of the library each, beside the kernels. *)

(** What the library promises. *)
type goal = At_most of float | At_least of float

type figure = {
  label : string;
  column : string option;
      (** of a table with a row for each label, if that is how the probe's figures are shown *)
  value : float;
  unit_ : string;
  goal : goal option;
}
(** The type for figures. *)

type settings = { size : Kernel.size; plan : Measure.plan }
(** The type for what the user chose. *)

type t = { name : string; doc : string; run : settings -> figure list }
(** The type for probes. [run] is to be called from the main domain, outside any pool. *)

type outcome = { probe : string; about : string; figures : figure list }
(** The type for what a probe found. *)

val figure : ?goal:goal -> ?column:string -> string -> string -> float -> figure
(** [figure label unit_ value] is that figure. *)

val ratio : ?goal:goal -> ?column:string -> string -> float -> float -> figure
(** [ratio label a b] is the figure [a /. b]. *)

val as_fast : string
(** [as_fast] is the unit of speeds relative to others. *)

val speed : ?column:string -> string -> float -> figure
(** [speed label x] is the figure that something is [x] times as fast as what it is compared with.
*)

val cost : figure -> float option
(** [cost f] is what grows as [f] gets worse: a time, or the inverse of a speed; [None] if [f] is
    neither. *)

val met : figure -> bool option
(** [met f] tells whether [f] is what was promised, if anything was. *)

val run : settings -> t -> outcome
(** [run settings probe] is what [probe] finds. *)
