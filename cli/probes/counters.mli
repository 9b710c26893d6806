(** Counters: sequential, behind a mutex, atomic and batched. *)

val probe : Drover_harness.Probe.t
