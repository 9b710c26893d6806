(** Who serves a batched object next, when operations are left.

    A task is launched that applies those, batch after batch. If it has not started yet, a submitter
    does so in its place: then the task finds nothing left. So a task too many does no harm. *)

val leave : 'op Batch_object.t -> unit
(** [leave t], for the server: leaves, and sees to it that somebody else serves what is left. *)

val serving : 'op Batch_object.t -> ('x -> unit) -> 'x -> unit
(** [serving t f x] is [f x], which serves, and then {!leave}, in any case. *)

val find_server : 'op Batch_object.t -> unit
(** [find_server t] sees to it that somebody will serve, if nobody does and operations are due. A
    second half: may be called again. Where no pool takes a task, the caller serves. *)

val launch : 'op Batch_object.t -> unit
(** [launch t] is the same for a queue that is full. *)

val is_forgotten : 'op Batch_object.t -> bool
(** [is_forgotten t], for whoever has queued an operation, is [false] if somebody serves, or will.
*)
