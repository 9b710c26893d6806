(** Sorting: ints, floats and strings; random, sorted, reversed, of few values. *)

val kernels : Drover_harness.Kernel.t list
(** [kernels] is the benchmarks sort-ints, sort-sorted, sort-reversed, sort-few, sort-floats and
    sort-strings. *)

val domainslib : ('a -> 'a -> int) -> Domainslib.Task.pool -> 'a array -> 'a array
(** [domainslib cmp pool a] is [a] sorted as one would for Domainslib: parts in tasks, by [Stdlib],
    and serial merges. *)
