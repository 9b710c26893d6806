(** Long stretches without a fork: do others get to work meanwhile? *)

val probe : Drover_harness.Probe.t
(** [probe] forks two long stretches that do not fork themselves; and lets a worker with pending
    jobs go into a long stretch. *)
