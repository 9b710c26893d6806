(** Explicit batches: how fast their operations are, by the length of a batch. *)

val probe : Drover_harness.Probe.t
(** [probe] is the operations a millisecond of every structure whose operations are searches, and of
    one without batches. *)
