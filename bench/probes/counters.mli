(** Counters: sequential, behind a mutex, atomic and batched; and what a submission costs that finds
    its object at rest. *)

val probe : Drover_harness.Probe.t
