(** What a worker does after each minor collection: it answers thieves, interrupts its code, serves
    timers, and adapts its minor heap. *)

val start : Worker.t -> unit
(** [start w], by [w], when its first task begins, begins that. *)

val accompany : unit -> unit
(** [accompany ()] adapts the minor heap of the calling domain, which is no worker. *)
