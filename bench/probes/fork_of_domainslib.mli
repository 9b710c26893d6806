(** What Domainslib's fork with batches (koonwen/domainslib) reaches, for comparison: measured once,
    on two cores of a 2.8 GHz Xeon with OCaml 5.4.1, with its own benchmarks. *)

type t
(** The type for the fork's speeds with one structure. *)

val counter : t
(** [counter] is adding to a counter. *)

val skip_list : t
(** [skip_list] is inserting 100,000 keys into a skip list of 100,000. *)

val b_tree : t
(** [b_tree] is inserting 200,000 keys into an empty B-tree; those of the explicit batch are sorted.
*)

val implicit : t -> float
(** [implicit t] is the operations a millisecond that tasks on two domains reach by batches. *)

val figures : t -> Drover_harness.Probe.figure list
(** [figures t] is the operations a millisecond of each version. *)
