(** Domains of a pool's own: how they come to be workers, and end. *)

type lease = private { place : Worker.t; is_held : bool Atomic.t }
(** The type for the right to be a worker. *)

val lease : Worker.t -> lease
(** [lease w] is that right, not had yet. *)

val take : lease -> bool
(** [take lease] has it from now on; [false] if somebody has it. *)

val give_back : lease -> unit
(** [give_back lease] gives it up, and then {!provide}s. May be called again. *)

val provide : Worker.team -> unit
(** [provide team] is to be called after a task was added from outside: sees to it that the tasks
    that are left have a worker, and that workers come back that have no domain now. Waits for no
    task (see {!Births.spawn}). May be called again. *)

val open_with : Worker.team -> int -> int
(** [open_with team wanted] makes domains for the first so many workers, the caller's apart, and is
    how many workers have a place then: fewer where there is no room. *)

val serve : Worker.team -> bool
(** [serve team] sees to it that somebody runs what is added from outside; [false] if nobody can,
    for lack of another domain. Waits for no task. May be called again. *)

val staff : Worker.team -> bool
(** [staff team] is the same for the caller's place too, unless there is no room for another domain;
    [false] if callers are the only workers. *)
