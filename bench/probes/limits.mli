(** Limits: what stops code that never looks, how soon, and what that costs. *)

val probe : Drover_harness.Probe.t
(** [probe] enters scopes with limits, forks inside of one, and stops six programs at a deadline, on
    one domain, and on two while the other computes. *)
