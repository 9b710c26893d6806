(** Fibonacci numbers by the recursive definition: nothing but forks. *)

val serial : int -> int
(** [serial n] is the [n]th number. *)

val closures : int -> int
(** [closures n] is the same through a function that calls two closures in order: the least that a
    program in this form costs. *)

val drover : int -> int
(** [drover n] is the same with a fork at every node. To be run in a pool. *)

val domainslib : Domainslib.Task.pool -> int -> int
(** [domainslib pool n] is the same with a promise for one call, and the other one made directly. *)

val domainslib_pairs : Domainslib.Task.pool -> int -> int
(** [domainslib_pairs pool n] is the same with a promise for each call. *)

val nodes : int -> int
(** [nodes n] is the number of calls that [serial n] makes. *)

val forks : int -> int
(** [forks n] is the number of forks that [drover n] makes. *)

val kernel : Drover_harness.Kernel.t
(** [kernel] is the benchmark without a cutoff. *)

val kernel_cutoff : Drover_harness.Kernel.t
(** [kernel_cutoff] is the benchmark that calls {!serial} from 20 down. *)
