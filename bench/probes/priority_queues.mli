(** Priority queues: batched, and a locked heap. *)

val probe : Drover_harness.Probe.t
(** [probe] is the figures of pushing and popping by turns. *)

val in_batches : Keys.t -> Drover_harness.Kernel.size -> Contest.result list
(** [in_batches k size] is the speeds of the batched one, whose batches are of several lengths, and
    of one without batches. *)
