(** Waiting without the scheduler's knowing. *)

val until : (unit -> bool) -> unit
(** [until f] returns when [f ()] is true. *)
