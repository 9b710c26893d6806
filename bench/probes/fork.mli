(** What a fork costs: Fibonacci numbers without a cutoff. *)

val probe : Drover_harness.Probe.t
(** [probe] compares a fork of Drover with a call of two closures, and with Domainslib's promises.
*)
