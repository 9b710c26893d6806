(** What a promise costs in each shape of a program that awaits promises. *)

val probe : Drover_harness.Probe.t
(** [probe] runs one text with Domainslib's interface, over Drover ([drover.domainslib]) and over
    Domainslib itself. *)
