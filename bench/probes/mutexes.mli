(** What a lock costs that nobody else wants. *)

val probe : Drover_harness.Probe.t
(** [probe] locks and unlocks a mutex in one task, beside the standard library's. *)
