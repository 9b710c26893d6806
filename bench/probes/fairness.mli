(** How long ready work waits behind work that never waits. *)

val probe : Drover_harness.Probe.t
(** [probe] submits small jobs to a pool whose workers compute, from outside, on the most domains,
    beside a pool of its own for the heavy job, and Domainslib. Then it wakes tasks and fires timers
    while others compute. Goals are those of a machine that is otherwise quiet. *)
