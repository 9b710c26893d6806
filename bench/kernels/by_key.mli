(** Records summed by their keys. *)

val kernel : Drover_harness.Kernel.t
(** [kernel] is the benchmark. *)
