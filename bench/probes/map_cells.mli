(** Ordered maps in parallel loops of single operations: the map and a batch of one's own, beside a
    map behind a mutex and in an atomic, and those of others. *)

val probe : Drover_harness.Probe.t
(** [probe] is nanoseconds an operation, in all cells. *)
