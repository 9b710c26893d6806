(** Sorting: ints, floats and strings; random, sorted, reversed, of few values. *)

val kernels : Drover_harness.Kernel.t list
(** [kernels] is the benchmarks sort-ints, sort-sorted, sort-reversed, sort-few, sort-floats and
    sort-strings. *)
