(** What a fork costs in each shape of a program that forks. *)

val probe : Drover_harness.Probe.t
(** [probe] compares Drover's forks with Domainslib's promises, and with rayon's joins where its
    program has been built. *)
