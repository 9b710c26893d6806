(** The loop that a version uses, so that versions share everything else. *)

type t = start:int -> finish:int -> (int -> unit) -> unit
(** The type for loops over inclusive bounds. *)

val serial : t
(** [serial] is [for]. *)

val drover : t
(** [drover] is {!Drover.parallel_for}, untuned. *)

val domainslib : Domainslib.Task.pool -> t
(** [domainslib pool] is [Task.parallel_for], untuned. *)

val versions : (t -> 'i -> 'r) -> ('i, 'r) Drover_harness.Kernel.version list
(** [versions solve] is the parallel versions of [solve]. *)
