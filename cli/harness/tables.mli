(** Results as tables. *)

val of_outcome : Outcome.t -> Table.t
(** [of_outcome o] is the table of a kernel: a row for each version and number of domains. *)

val of_probe : Probe.outcome -> Table.t
(** [of_probe o] is the table of a probe: a row for each figure. *)

val summary : Outcome.t list -> Table.t
(** [summary os] is a row for each kernel: how Drover and Domainslib compare with the serial
    program. *)
