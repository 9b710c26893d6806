(** What the workers of a pool do for each other: wake, hand out, and notice when all is done. Any
    thread of any domain; nothing here waits. *)

val has_work : Worker.team -> bool
(** [has_work team] is whether there is a job for any of them. *)

val has_waiting : Worker.t -> bool
(** [has_waiting w] is whether jobs wait in turn, or urgent ones outside of deques. No safepoint. *)

val has_waiting_in_turn : Worker.t -> bool
(** [has_waiting_in_turn w] is whether jobs wait in turn. No safepoint. *)

val wants_work : Worker.team -> bool
(** [wants_work team] is whether one of them looks for work, or sleeps because there was none. No
    safepoint. *)

(** {1 To wake} *)

val begin_searching : Worker.t -> unit
(** [begin_searching w] has [w] counted, by itself, as one that will find what is added. *)

val end_searching : Worker.t -> bool
(** [end_searching w] ends that, if [w] is counted, and is whether it was the last. *)

val notify : Worker.team -> unit
(** [notify team] is to be called after work was added. A worker that searches will find it; if none
    does, one that sleeps is woken. *)

val needs_another : Worker.team -> bool
(** [needs_another team] is whether [notify] would wake one. No safepoint. *)

val helpers : Worker.team -> int
(** [helpers team] is how many sleep for which the machine has a processor. *)

val has_helper : Worker.team -> bool
(** [has_helper team] is whether one sleeps for which the machine has a processor. *)

val needs_helper : Worker.team -> bool
(** [needs_helper team] is whether that is so, and none searches. *)

val wake_one : Worker.team -> unit
(** [wake_one team] wakes one that sleeps. *)

val wake_for : Worker.team -> seconds:float -> unit
(** [wake_for team ~seconds] wakes one, which is to search for so many seconds then, at least. *)

val lacks_one_standing_by : Worker.team -> bool
(** [lacks_one_standing_by t] is whether {!keep_one_standing_by} would wake one. *)

val keep_one_standing_by : Worker.team -> unit
(** [keep_one_standing_by t] wakes a worker where the caller, a worker that hides forks or loops, is
    the only one that is awake, and that may be all that the pool uses just now. In a section. *)

val note_woken : Worker.t -> unit
(** [note_woken w], by [w] that was woken, notes how long that took. *)

(** {1 To look at} *)

val reach : Worker.team -> int
(** [reach team] is below which [id] members have a thread, or had one. *)

(** {1 To hand out}

    Jobs that nobody has claimed. *)

val follow_caller : Worker.team -> unit
(** [follow_caller team] has its workers record backtraces iff the calling domain does. *)

val add_outside : Worker.team -> urgent:bool -> Job.t -> unit
(** [add_outside team ~urgent job] puts [job] behind what the workers have, or before other work if
    it is [urgent], and has them come for it. *)

(** Where a job was added. Before those that are [Behind] another was there, for which the workers
    come by themselves. *)
type added = Nowhere | First | Behind

val add : Job.t Inbox.t -> Job.t -> added
(** [add inbox job] adds [job], or raises what a signal's handler does, and has not added it.
    {!announce} is to follow. *)

val announce : Worker.team -> added -> unit
(** [announce team added] has workers come for what was added, whatever a signal's handler raises.
*)

val inbox : Worker.team -> urgent:bool -> Job.t Inbox.t
(** [inbox team ~urgent] is where [add_outside] puts it. *)

val begin_batch : Worker.team -> unit
(** [begin_batch team]: while there are batches, their parts are looked for before other work. *)

val end_batch : Worker.team -> unit
(** [end_batch team] ends that. *)

(** {1 The end} *)

val report : Worker.t -> unit
(** [report w] is to be called by [w] before it sleeps or leaves, and before {!is_idle}. *)

val is_idle : Worker.team -> bool
(** [is_idle team] is whether no task is left. *)

val try_stop : Worker.team -> unit
(** [try_stop team] makes the step from Closing to Stopped, if it is due. A worker that may have
    ended the last task calls it before it sleeps. May be called again. *)

val is_stopped : Worker.team -> bool
(** [is_stopped team] is whether that step has been made. *)

val sum : Worker.team -> (Worker.t -> int) -> int
(** [sum team count] is the sum over all workers. *)

(** {1 Turns} *)

val is_for_oldest : int -> bool
(** [is_for_oldest turn] is whether a worker looks in this turn of its at its own oldest job first,
    which it would never come to while it feeds itself. *)

val is_neglected_next : Worker.t -> bool
(** [is_neglected_next w] is whether the next turn of [w] is for jobs that might wait for ever
    otherwise. *)
