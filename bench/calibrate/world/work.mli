(** What a thread's own code costs, in real time. *)

val calibrate : unit -> unit
(** [calibrate ()] measures how fast the processor is. Before anything else here. *)

val busy : int -> unit
(** [busy ns] computes for [ns] nanoseconds. Any thread. *)

val allocate : int -> unit
(** [allocate words] allocates so much, in small blocks. Any thread. *)
