(** Slices: how ready work that waits in turn comes to a worker that has enough to do.

    By the worker's own thread; and nothing waits. *)

val now : unit -> float
(** [now ()] is the time by which slices end, in seconds. *)

val is_over : Worker.t -> now:float -> bool
(** [is_over w ~now] is whether what [w] does now has had its slice. *)

val is_urgent_first : Worker.t -> bool
(** [is_urgent_first w] is whether [w] looks for urgent work before it looks for what waits in turn,
    and not behind. *)

val begin_next : Worker.t -> now:float -> unit
(** [begin_next w ~now] begins a slice of the next kind of work. *)

val call : Worker.t -> unit
(** [call w]: the thread of [w] is wanted elsewhere, which alerts [w]. Any thread. *)

val is_called : Worker.t -> bool
(** [is_called w] is whether that is so. *)

val take_call : Worker.t -> bool
(** [take_call w] is the same, and it is so no more. *)

val is_due : Worker.t -> is_counted:bool -> bool
(** [is_due w ~is_counted] is whether the task of [w] is to be put off: its slice is over, and
    something waits that nobody else takes; or the thread of [w] is wanted elsewhere. [is_counted]:
    as many forks or iterations have passed since the last look as were to. *)

val note_own : Worker.t -> unit
(** [note_own w]: a job of another kind than those in the deque of [w] begins. *)

val note_woken : Worker.t -> unit
(** [note_woken w]: the task of [w], which has woken others, begins a fork or a loop. *)

val hand_out : Worker.t -> unit
(** [hand_out w] puts what lies on top of the deque of [w], but for forks, where it waits in turn.
*)

val hand_out_all : Worker.t -> unit
(** [hand_out_all w] does so with all that lies in the deques of [w], which has no task. *)

val watches : Worker.t -> bool
(** [watches w] is whether a loop on [w] is to look at the clock now and then. *)

val serve_timers : Worker.t -> is_counted:bool -> unit
(** [serve_timers w ~is_counted] serves the timers that are due. *)

val until : Worker.t -> Worker.loop -> int
(** [until w loop] is where [loop], on [w], looks around next. *)

val may_skip : Worker.t -> bool
(** [may_skip w], where the limit of [w] was reached, is whether the fork may be as fast as if it
    were not: the next look at the clock is some forks away. *)
