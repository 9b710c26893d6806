(** What new users write first. *)

val kernels : Drover_harness.Kernel.t list
(** [kernels] is the attempts, as README and manual lead to them. *)
