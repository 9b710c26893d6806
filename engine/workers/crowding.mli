(** Looks at the load of a pool, and says who works. *)

val begin_with : Worker.team -> int -> unit
(** [begin_with team members] says who of so many works at first. *)

val look : Worker.t -> unit
(** [look w] is to be called by [w] now and then. It looks at the load of the pool if it is time. *)

val is_surplus : Worker.t -> bool
(** [is_surplus w] is whether [w] should stand by: enough others work. *)

val stand_by : Worker.t -> is_left:(unit -> bool) -> bool
(** [stand_by w ~is_left] sleeps for a few milliseconds, and is whether [w] had better take a job
    then, as those that work have not come by and [is_left ()]. By [w], which has no job. *)

val late_collection : Worker.team -> float
(** [late_collection team] is how many seconds a collection waits for workers that other programs
    keep from their processors, as far as is known. *)

val spinning : Worker.t -> (unit -> bool) -> bool
(** [spinning w search] is [search ()], which does nothing useful meanwhile. *)
