(** A wait that the poller ends; one of no time lets others go first. *)

val sleep : float -> unit
(** [sleep seconds] is as [Drover.sleep]: a task suspends, and a thread blocks. *)
