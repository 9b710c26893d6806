(** Loops whose iterations cost little, much, and not the same; untuned, and with Domainslib's best
    chunk size. *)

val kernels : Drover_harness.Kernel.t list
(** [kernels] is the benchmarks for-tiny, for-heavy, for-triangular, for-skewed and for-nested. *)
