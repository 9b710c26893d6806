(** How much of the machine other programs used meanwhile: figures of a machine that was not quiet
    are noise. *)

type t
(** The type for moments to compare with. *)

val start : unit -> t
(** [start ()] is now. *)

val others : t -> float option
(** [others t] is the processor time that other processes, which this one has not started, used
    since [t], as a fraction of what all processors offered; [None] where the system does not tell
    (it does on Linux). *)

val idle : t -> float option
(** [idle t] is the processor time since [t] that no process used, in seconds. *)
