(** Reductions and the like over arrays of numbers. *)

val kernels : Drover_harness.Kernel.t list
(** [kernels] is the benchmarks sum, scan, filter and histogram. *)
