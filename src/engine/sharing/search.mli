(** The search for work: what a worker has, what came from outside, what others have, and what these
    hide.

    Each function is for a worker's own thread, and its result is whether the worker has a hand
    then, unless it says otherwise. *)

val find : Worker.t -> bool
(** [find w] looks once wherever jobs lie. *)

val take_next_kind : Worker.t -> bool
(** [take_next_kind w], in the middle of a task, takes a job that waits in turn: see [Slice]. *)

val take_put_off : Worker.t -> bool
(** [take_put_off w] takes what [w] has put off first. *)

val search : Worker.t -> until:(unit -> bool) -> bool
(** [search w ~until] looks at others until it finds something, [until ()] holds, or it has lasted
    about as long as a wake-up, or for some milliseconds where that is worth it (see [Worth]). It
    asks those that hide work. *)

val ask_once_more : Worker.t -> unit
(** [ask_once_more w], by a worker that has announced that it sleeps, asks those that hide work for
    it. *)

val finds_more : Worker.t -> bool
(** [finds_more w], by [w] that has just found something, is whether more lies there. *)

val others_need_lookout : Worker.t -> bool
(** [others_need_lookout w] is whether another worker of the pool is an owner that needs a lookout:
    see {!Worth.needs_lookout}. *)

val others_work : Worker.t -> bool
(** [others_work w] is whether another worker of the pool is in a job. *)

val others_hide : Worker.t -> bool
(** [others_hide w] is whether another worker of the pool hides forks or loops. *)

val is_any_hidden : Worker.team -> bool
(** [is_any_hidden t] is whether a worker of the pool hides forks or loops. Any thread; a guess. *)

val uncover : Worker.t -> bool
(** [uncover w] asks all workers of the pool for what they hide, with a minor collection that they
    answer at, and is whether [w] has taken a part of a loop. By [w], which stands by. *)

val lacks_lookout : Worker.t -> bool
(** [lacks_lookout w] is whether others hide work while nobody is on the lookout. *)

type glimpse
(** The type for what another worker hides. *)

val look_out : Worker.t -> glimpse list -> glimpse list
(** [look_out w before] asks the others for forks, by a worker that sleeps but for that, and is what
    they hide; [before] is what they hid the last time. *)

val take_any_part : Worker.t -> bool
(** [take_any_part w] takes a part of a loop of another, where it lies open. *)
