(** Priority queues in parallel loops: ours, a heap and a set behind a mutex. *)

val probe : Drover_harness.Probe.t
(** [probe] is nanoseconds for a pop and a push, in all cells. *)
