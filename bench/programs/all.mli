(** The suite. *)

val kernels : Drover_harness.Kernel.t list
(** [kernels] is all programs: those known from PBBS and parlaylib, then
    those of analysers, compilers and their like. *)
