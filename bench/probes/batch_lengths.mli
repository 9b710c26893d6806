(** Explicit batches: how fast their operations are, by the length of a batch. *)

val probe : Drover_harness.Probe.t
(** [probe] is the operations a millisecond of insertions into an ordered map and a hash table, and
    of pushes and pops, which one task hands in as batches. *)
