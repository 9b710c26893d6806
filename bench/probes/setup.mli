(** What it costs to make a pool and to close it. *)

val probe : Drover_harness.Probe.t
(** [probe] makes and closes pools of two domains, also by Domainslib's interface, beside
    Domainslib's. *)
