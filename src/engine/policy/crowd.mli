(** How many workers of a pool are worth their processors.

    Where other programs want the processors too, workers wait for each other where they join. Then
    fewer of them may do as much, or more. So fewer are tried where workers wait for a processor and
    others search meanwhile, and all are tried again now and then.

    Each function on a worker is for its own thread. Nothing waits, but {!stand_by}. *)

(** {1 What has been found out} *)

type t = Worker.crowd
(** The type for that. A value is immutable. *)

val create : processors:int -> int -> t
(** [create ~processors members] is for so many workers. No more than [processors] of them are ever
    worth one. *)

val window : float
(** The seconds that a load should be of. *)

val step : t -> now:float -> Worker.window -> t
(** [step t ~now window] takes the latest window into account, during which {!active}[ t] workers
    were active. *)

val active : t -> int
(** [active t] is how many workers should work, from 1 on. *)

(** {1 Who works} *)

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
