(** What Domainslib's fork with batches (koonwen/domainslib) reaches, for comparison: measured once,
    on two cores of a 2.8 GHz Xeon with OCaml 5.4.1, with its own benchmarks. *)

type t
(** The type for the fork's speeds with one structure. *)

val counter : t
(** [counter] is adding to a counter. *)

val ordered_maps : t
(** [ordered_maps] is inserting 100,000 keys into a skip list of 100,000, and 200,000 into an empty
    B-tree; those of the B-tree's explicit batch are sorted. *)

val implicit : t -> float
(** [implicit t] is the operations a millisecond that tasks on two domains reach by batches. *)

val figures : t -> Drover_harness.Probe.figure list
(** [figures t] is the operations a millisecond of each version. *)
