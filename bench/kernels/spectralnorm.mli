(** The spectral norm of an infinite matrix, cut to n rows and columns, by the power method (the
    benchmarks game). *)

val kernel : Drover_harness.Kernel.t
(** [kernel] is the benchmark. *)
