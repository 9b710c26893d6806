(** Results as tables. *)

val of_outcome : Outcome.t -> Drover_show.Table.t
(** [of_outcome o] is the table of a kernel: a row for each version and number of domains. It fits
    80 columns. *)

val in_full : Outcome.t -> Drover_show.Table.t
(** [in_full o] is the same with all that is known. *)

val terms : (string * string) list
(** [terms] explains the words in the headers. *)

val of_probe : ?marks:bool -> Probe.outcome -> Drover_show.Table.t
(** [of_probe o] is the table of a probe: a row for each figure, or for each label if its figures
    have columns. With [marks], as by default, an exclamation mark stands where a goal is missed. *)

val disturbed : Outcome.t list -> string option
(** [disturbed outcomes] says that they are no measurement, if other programs disturbed them. *)

val summary : Outcome.t list -> Drover_show.Table.t
(** [summary os] is a row for each kernel: how Drover and Domainslib compare with the serial
    program; and, of several kernels, the geometric mean and the least of each column. *)

val in_a_sentence : Outcome.t list -> string option
(** [in_a_sentence os] is what Drover gains on the most domains, and what it costs on one: what a
    session is about. [None] if only one domain was measured. *)
