(** Rayon's forks, measured by a program in Rust ([bench/rayon]) that [dune build @rayon] builds. *)

val is_built : bool
(** [is_built] is [true] iff that program is there. *)

val versions : string -> int -> ('i, 'r) Drover_harness.Kernel.version list
(** [versions shape n] is that program's version of [shape] with the argument [n], if it is there.
*)
