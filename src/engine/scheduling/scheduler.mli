(** The loop of a worker: the search for work, and the sleep when there is none. *)

val room : int
(** [room] is for how many calls [work] reserves the stack: see {!Section.reserve_stack_for}. *)

val work : ?first:(unit -> unit) -> Worker.t -> until:(unit -> bool) -> bool
(** [work w ~until]: the calling thread is [w], calls [first], and works until [until ()] holds;
    [false], at once, if it cannot be, as its domain has a worker. Raises what a callback has raised
    in the scheduler. *)

val run_job : Worker.t -> unit
(** [run_job w] runs what is in the hand of [w]. In [first]. *)
