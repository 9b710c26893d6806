(** Shapes of programs that consist of nothing but forks or promises, so that their time is what
    these cost. *)

open Drover_harness

type t = {
  name : string;
  operations : int;  (** forks or promises of a run *)
  serial : unit -> int;
  versions : (unit, int) Kernel.version list;
}
(** The type for shapes. The results of all versions must agree. *)

val figures : ?goal:Probe.goal -> Measure.plan -> unit_:string -> t -> Probe.figure list
(** [figures plan ~unit_ shape] is how many nanoseconds each version takes for an operation, a
    column for each number of domains, as in ["drover@2"]. [goal] is that of Drover. *)
