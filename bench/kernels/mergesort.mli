(** Merge sort of floats: halves in parallel, and merges in parallel too. *)

val sort : fork:(int -> (unit -> unit) -> (unit -> unit) -> unit) -> float array -> unit
(** [sort ~fork a] sorts [a], which holds no nan; [fork n f g] does [f ()] and [g ()] in any order,
    which are about [n] elements of work together. *)

val kernel : Drover_harness.Kernel.t
(** [kernel] is the benchmark. *)
