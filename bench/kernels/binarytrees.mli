(** Binary trees made, walked and dropped (the benchmarks game): nothing but allocation. *)

val kernel : Drover_harness.Kernel.t
(** [kernel] is the benchmark. *)
