(** Hash tables in parallel loops of single operations: ours, one behind a mutex, and those of
    others. *)

val probe : Drover_harness.Probe.t
(** [probe] is nanoseconds an operation, in all cells. *)

val stdlib : int -> Cells.map
(** [stdlib size] is OCaml's own, which one domain may use at a time. *)
