(** Conway's Game of Life on a torus. *)

val kernel : Drover_harness.Kernel.t
(** [kernel] is the benchmark: random cells, or the user's pattern in the middle of the torus. *)
