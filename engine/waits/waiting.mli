(** Waits that leave nothing behind. *)

val until : undo:(unit -> unit) -> (unit -> 'a) -> 'a
(** [until ~undo wait] is [wait ()]. If that raises, because it is cancelled, or out of a signal's
    handler, then [undo] takes back all that it has done. [undo] is idempotent, and may be called
    whatever has been done so far. *)

val and_then : (unit -> unit) -> (unit -> 'a) -> 'a
(** [and_then leave f] is [f ()], and then [leave ()], also when [f] raises; [leave] is idempotent.
*)
