(** Breadth-first search, level by level. *)

val kernel : Drover_harness.Kernel.t
(** [kernel] is the benchmark. *)
