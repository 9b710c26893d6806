(** What help with a region, an outermost fork or loop, is worth: whether to offer it, to wake a
    sleeper for it, and to go on searching for the next one. By what those of late took.

    Each function is for the thread of the worker that it is given first. Nothing waits. *)

(** {1 What regions took} *)

val begin_fork : Worker.t -> unit
(** [begin_fork w] notes that [w] offers an outermost fork. *)

val end_fork : Worker.t -> unit
(** [end_fork w] notes that [w] has taken it back. *)

val end_stolen_fork : Worker.t -> since:float -> unit
(** [end_stolen_fork w ~since] notes that a thief has done it, for which [w] has waited since then.
*)

val end_loop : Worker.t -> float -> unit
(** [end_loop w seconds] notes that [w] has done an outermost loop by itself in so many seconds. *)

val show : Worker.t -> unit
(** [show w] notes that [w] is about to give a part of a loop. *)

val end_shared_loop : Worker.t -> since:float -> unit
(** [end_shared_loop w ~since] notes that the loop of which [w] has given parts is over, for which
    [w] has waited since then. *)

val begin_stolen : Worker.t -> Worker.t -> float -> unit
(** [begin_stolen thief v now] notes that a job that [thief] has stolen from [v] begins now. *)

val end_stolen : Worker.t -> Worker.t -> float -> unit
(** [end_stolen thief v seconds] notes that it has ended, after so many seconds. *)

val needs_lookout : Worker.t -> bool
(** [needs_lookout v] is whether [v] wakes nobody for what it hides, as long as a sleeper is on the
    lookout. Any thread; a guess. *)

val credit : Worker.t -> others_sleep:bool -> int
(** [credit w ~others_sleep] is how many outermost forks of [w] are to stay private now, where
    others sleep and none searches, or not. *)

(** {1 To wake} *)

val begin_region : Worker.t -> float -> unit
(** [begin_region w now] notes that a region of [w] begins now, while another worker sleeps. *)

val is_on_lookout : Worker.t -> bool
(** [is_on_lookout w] is whether a worker of the pool is. With a full fence before the look. *)

val deserves_wake_up : Worker.t -> bool
(** [deserves_wake_up w] is whether a region that begins is worth a wake-up. *)

val search_of_woken : Worker.t -> float
(** [search_of_woken w] is for how long the worker that [w] wakes is to search, in seconds: until
    the next region of [w] begins, if these come soon after each other. *)

val is_long : Worker.t -> passed:float -> bool
(** [is_long w ~passed] is whether a loop that has lasted for so long is worth a wake-up. *)

(** {1 Searches} *)

val shortest_search : int
(** [shortest_search] is after how many looks in vain a search ends, at the earliest. *)
