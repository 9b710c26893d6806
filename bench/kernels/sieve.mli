(** The sieve of Eratosthenes, segment by segment. *)

val kernel : Drover_harness.Kernel.t
(** [kernel] is the benchmark. *)
