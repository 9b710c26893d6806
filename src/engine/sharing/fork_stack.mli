(** Fork stacks: the forks of the task that a worker runs, and how thieves come to them; and to the
    rests of its loops in progress.

    All of it is for the worker's own thread, unless it says otherwise; and nothing waits. *)

(** {1 For forks}

    See [Fork_join], which has a fork of its own at [sp]. *)

val push : Worker.t -> int -> Job.t -> unit
(** [push w sp job] puts [job] at [sp], the top of the stack, where there is room: below [w.limit],
    or after {!grow}. Without a safepoint, as {!lower} is. *)

val grow : Worker.t -> unit
(** [grow w] makes room for more forks. *)

val pop : Worker.t -> int -> unit
(** [pop w sp] takes the fork at [sp] and what is above it off the stack, which refers to finished
    forks until it is cleared. *)

val clear : Worker.t -> unit
(** [clear w] forgets finished forks. By the thread of [w], at any safepoint. *)

val lower : Worker.t -> int -> unit
(** [lower w sp] is the first half of [pop w sp], which any exception may follow. *)

val take_back : Worker.t -> int -> Job.t -> ours:bool -> unit
(** [take_back w sp job ~ours] is [pop w sp] for a published fork, which leaves the deque, too, if
    no younger one lies on it. It was [ours] if no thief had it. *)

val note_stolen : Worker.t -> since:float -> unit
(** [note_stolen w ~since] notes that an outermost fork of [w], which a thief had, is over; [w] has
    waited since then. *)

val wake : Worker.t -> unit
(** [wake w] wakes a worker for what [w] hides or shows: see {!Worth.search_of_woken}. *)

val wake_if_worth : Worker.t -> is_outermost:bool -> unit
(** [wake_if_worth w ~is_outermost] wakes a sleeper for the forks that [w] offers, if they are worth
    that; the latest of them is the outermost, or not. *)

val follow_context : Worker.t -> unit
(** [follow_context w], before a fork, publishes those that were made in another context (see
    {!Worker.run_in}). *)

val publish : Worker.t -> bool
(** [publish w], by [w] that looks around at a fork, offers its oldest one if that is due, and says
    whether thieves can see any. Needs room on the stack. *)

val forget_request : Worker.t -> unit
(** [forget_request w], before a fork that may be tiny, forgets that a thief wanted one, where the
    task of [w] is in no fork and in no loop: a thief that still does asks again. *)

(** {1 For tasks} *)

val give : Worker.t -> bool
(** [give w] gives thieves something of what they cannot see: forks, which tend to be larger, or
    else a half of the outermost loop that has any left. [false] if there is nothing. *)

val is_clear : Worker.t -> bool
(** [is_clear w] is whether the task of [w] is in no fork and in no loop. *)

val publish_all : Worker.t -> unit
(** [publish_all w] offers all that the task has begun, because it leaves [w]. May be called again.
*)

val end_task : Worker.t -> unit
(** [end_task w]: the task that [w] ran has ended, or lies beneath another. A handler of the user's
    may have kept a continuation with forks that nobody joined yet: they are published. *)

val trim : Worker.t -> unit
(** [trim w] gives back the room that many forks and tasks took, where they are gone. Between two
    tasks of [w], seldom. *)

val shows_any : Worker.t -> bool
(** [shows_any w] is whether thieves can see anything of [w]. Any thread. *)

val drop_begun : Worker.t -> unit
(** [drop_begun w] takes tasks that somebody has begun off the ends of the deque. *)

val put_next : Worker.t -> Job.t -> unit
(** [put_next w job] puts [job], if it is a task that nobody has begun, where [w] takes it next. It
    is in a deque or an inbox already. *)

(** {1 For thieves that wait} *)

val answer : Worker.t -> bool
(** [answer w] gives all, for an owner that has not come by since it was asked, and says whether
    thieves can see something now. By its own thread, at any safepoint (see [Ticker]). *)
