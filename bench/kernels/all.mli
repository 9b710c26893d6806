(** All of them. *)

val kernels : Drover_harness.Kernel.t list
(** [kernels] are the kernels, in the order in which the bench measures them. *)
