(** The product of two dense matrices of floats. *)

val kernel : Drover_harness.Kernel.t
(** [kernel] is the benchmark. *)
