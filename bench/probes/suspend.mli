(** What a suspended task weighs. *)

val probe : Drover_harness.Probe.t
(** [probe] lets many tasks, a million at full size, wait for one promise. *)
