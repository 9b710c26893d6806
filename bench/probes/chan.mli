(** What a message costs. *)

val probe : Drover_harness.Probe.t
(** [probe] passes messages through a channel, from one task to another: of one worker, and of two
    domains, there beside Domainslib's channel. *)
