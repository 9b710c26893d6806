(** Ordered maps: batched, locked, and those of others. *)

val probe : Drover_harness.Probe.t
(** [probe] is the figures of inserting many keys, one at a time and all at once. *)
