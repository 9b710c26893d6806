(** Keys for maps: those that are there before, and those that are inserted. *)

type t = { old : int array; fresh : int array }
(** The type for keys, all different, in no order. *)

val make : Drover_harness.Kernel.size -> t
(** [make size] is a million and a hundred thousand of them, or few for tests. *)

val of_lengths : old:int -> fresh:int -> t
(** [of_lengths ~old ~fresh] is so many keys. *)

val bindings : int array -> (int * int) array
(** [bindings keys] binds each key to its index. *)

val preload : t -> ((int * int) array -> unit) -> unit
(** [preload k insert_all] inserts the old keys in batches. *)

val contest : t -> Drover_harness.Kernel.size -> Contest.t
(** [contest k size] is that of inserting the fresh keys. *)

val ratios : ?goals:bool -> Contest.result list -> lock:string -> Drover_harness.Probe.figure list
(** [ratios results ~lock] compares batches with the subjects [sequential], [lock] and [saturn]. *)
