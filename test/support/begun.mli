(** Tasks that have begun. *)

val task : (unit -> 'a) -> 'a Drover.Promise.t
(** [task f] is a task for [f ()] that has begun; on one domain it has come to its first wait. To be
    called from a task. *)
