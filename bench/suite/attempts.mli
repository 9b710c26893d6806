(** What new users write first; nothing where ppxlib is not installed. *)

val kernels : Drover_harness.Kernel.t list
(** [kernels] is that of [Drover_attempts]. *)
