(** Parallel regions of microseconds between serial stretches, as of a program that computes
    something small in parallel now and then. *)

val probe : Drover_harness.Probe.t
(** [probe] is how many times as fast regions of 2 to 500 us are in parallel as their serial forms,
    on the most domains, beside Domainslib, rayon and OpenMP. *)
