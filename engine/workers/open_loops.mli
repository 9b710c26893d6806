(** Open loops: those in progress that a worker's task is in, and how others come to parts of them.

    For the worker's own thread, unless it says otherwise; and nothing waits. *)

val create : int -> int -> Worker.loop
(** [create next stop] gives nothing yet. *)

val none : Worker.loop
(** [none] stands for the absence of a loop. *)

val are_any : Worker.t -> bool
(** [are_any w] is whether the task of [w] is in a loop. Any thread. *)

val outermost : Worker.t -> Worker.loop
(** [outermost v] is the outermost of them, or [none]. Any thread. *)

val enter : Worker.t -> Worker.loop -> unit
(** [enter w loop]: the task of [w] begins [loop], which hears what was asked of the one around it,
    and a cancellation. *)

val leave : Worker.t -> Worker.loop -> unit
(** [leave w loop]: the loop has ended, or goes on elsewhere. By the thread of any worker. *)

(** {1 To ask}

    See also {!Worker.ask_loop}. *)

val is_asked : Worker.loop -> bool
(** [is_asked loop] is whether somebody wants a part of [loop]. Any thread. *)

val are_asked : Worker.t -> bool
(** [are_asked w] is whether somebody wants a part of one of them. *)

val set_until : Worker.t -> Worker.loop -> int -> unit
(** [set_until w loop until] has [loop] look around at [until]; before, if the task is cancelled. *)

val calm : Worker.t -> unit
(** [calm w] withdraws what was asked of them, but for a cancellation. *)

val calm_mine : Worker.t -> Worker.loop -> unit
(** [calm_mine w loop] withdraws what was asked of [loop], but for a cancellation of the calling
    code, which runs [loop] on [w]. *)

(** {1 To give} *)

val give_half : Worker.t -> bool
(** [give_half w] gives thieves a half of the outermost that has any left. [false] if none has. *)

val take_half : Worker.t -> Worker.t -> bool
(** [take_half v w] has the thief [w], which calls, help itself where a loop of [v] is open. [false]
    if none is. *)

val give_all : Worker.t -> Worker.portion -> unit
(** [give_all w portion] gives [portion] of each, [All] or [Leaving]. *)

val leave_all : Worker.t -> unit
(** [leave_all w] gives all of each, because the task leaves [w], and ends the list. *)

(** {1 To wake another} *)

val may_wake : Worker.t -> float -> bool
(** [may_wake w now] is whether [w] may wake another worker for a loop, which it does seldom. *)
