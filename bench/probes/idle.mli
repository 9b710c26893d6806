(** What it costs to have nothing to do. *)

val probe : Drover_harness.Probe.t
(** [probe] is the processor time of a pool without tasks, and of a caller that waits for a task
    that sleeps. *)
