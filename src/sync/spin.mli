(** A short wait for what another domain is about to do. *)

val until : (unit -> bool) -> bool
(** [until f] calls [f] until it is [true], but not for long; says whether it was. Does not suspend.
*)
