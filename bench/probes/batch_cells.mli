(** Batches of one's own in parallel loops of single operations, beside a mutex around the same. *)

val probe : Drover_harness.Probe.t
(** [probe] is nanoseconds an operation, in all cells and where an operation meets nobody. *)
