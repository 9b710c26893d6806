(** What [Scope.check] costs. *)

val probe : Drover_harness.Probe.t
(** [probe] calls it in a loop of a task, and outside any task. *)
