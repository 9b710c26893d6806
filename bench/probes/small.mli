(** What the loops and algorithms cost on ten elements. *)

val probe : Drover_harness.Probe.t
