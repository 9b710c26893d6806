(** Tasks that have begun. *)

val task : (unit -> 'a) -> 'a Drover.Promise.t
(** [task f] is a task for [f ()] that has begun; on one domain it has come to its first wait. To be
    called from a task. *)

val while_waiting : ((unit -> unit) -> 'a) -> (unit -> unit) -> 'a
(** [while_waiting f beside] is [f wait], alone in a pool of its own: when that has come to its
    first [wait ()], [beside ()] runs, and only then the wait ends. *)
