(** Vectors, memo tables and disjoint sets in parallel loops of single operations, beside a mutex
    around the obvious structure. *)

val probe : Drover_harness.Probe.t
(** [probe] is nanoseconds an operation, in all cells. *)
