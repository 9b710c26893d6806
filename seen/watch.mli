(** In debug mode, notices tasks that keep their worker, and that nothing can run any more. The
    poller calls it a few times a second. *)

val add : Worker.team -> unit
(** [add team] watches the workers of [team], from now on. Any thread. *)

val remove : Worker.team -> unit
(** [remove team] does not any more. *)
