(** A wait that the poller ends; one of no time lets others go first. *)

val wait : float -> unit
(** [wait seconds] is as [Drover.sleep]: a task suspends, and a thread blocks. *)
