(** Priority queues: batched, and a locked heap. *)

val probe : Drover_harness.Probe.t
(** [probe] is the figures of pushing and popping by turns. *)
