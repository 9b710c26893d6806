(** How long a task waits for a worker that has nothing to do. *)

val probe : Drover_harness.Probe.t
(** [probe] submits one task at a time to a worker that sleeps, and to one that has just gone idle,
    beside Domainslib and a bare condition variable. *)
