(** Ordered maps: batched, locked, and those of others. *)

val probe : Drover_harness.Probe.t
(** [probe] is the figures of inserting many keys, one at a time and all at once, also into ten
    million, and mixed with finds. *)

val in_batches : Keys.t -> Drover_harness.Kernel.size -> Contest.result list
(** [in_batches k size] is the speeds of the batched one, whose batches are of several lengths, and
    of one without batches. *)
