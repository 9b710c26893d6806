(** The Mandelbrot set: rows of very unequal cost. *)

val kernel : Drover_harness.Kernel.t
(** [kernel] is the benchmark; its picture is a binary PPM. *)
