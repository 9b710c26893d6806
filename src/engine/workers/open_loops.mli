(** Open loops: those in progress that a worker's task is in, and the parts that they give away.

    For the worker's own thread, unless it says otherwise; and nothing waits. What gives, and what
    has parts back, is for a section, but for what is one step. *)

val create :
  grain:int ->
  left:int Atomic.t ->
  body:(was_offer:bool -> int -> int -> unit) ->
  int ->
  int ->
  Worker.loop
(** [create ~grain ~left ~body next stop] has the iterations [next .. stop - 1]. A part has at least
    [grain] of them, the last apart; [left] counts it from when it is given, or offered and claimed,
    until it is taken back, or [body ~was_offer first behind], which its job calls, says that it has
    ended. *)

val none : Worker.loop
(** [none] stands for the absence of a loop. *)

val outermost : Worker.t -> Worker.loop
(** [outermost v] is the outermost of them, or [none]. Any thread. *)

val add : Worker.t -> Worker.loop -> unit
(** [add w loop] has [loop], which the task of [w] begins, stand in the list of [w]. It hears what
    was asked of the one around it, and a cancellation. *)

val is_innermost : Worker.t -> Worker.loop -> bool
(** [is_innermost w loop] is whether [loop] is the latest that was added and not removed. *)

val remove : Worker.t -> Worker.loop -> unit
(** [remove w loop] takes [loop], which has ended or goes on elsewhere, out of the list. By the
    thread of any worker. *)

(** {1 To ask}

    See also {!Worker.ask_loop}. *)

val is_asked : Worker.loop -> bool
(** [is_asked loop] is whether somebody wants a part of [loop]. Any thread. *)

val is_counted : Worker.loop -> bool
(** [is_counted loop] is whether [loop] looks around where it was to, since nobody has asked it to.
*)

val set_until : Worker.t -> Worker.loop -> int -> unit
(** [set_until w loop until] has [loop] look around at [until]; before, if the task is cancelled. *)

val withdraw_requests : Worker.t -> unit
(** [withdraw_requests w] takes back what was asked of them, but for a cancellation. *)

(** {1 To give} *)

val half : Worker.loop -> int
(** [half loop] is how many iterations a half of what is left is, perhaps more than that. *)

val offer_from : Worker.t -> Worker.loop -> int -> unit
(** [offer_from w loop i] offers the iterations [i ..] that are left of [loop] to thieves that have
    waited long, if they are enough for a part. By the frame of [loop], on [w]. *)

val claim_offer : Worker.t -> Worker.loop -> bool
(** [claim_offer w loop] is whether [w], a thief, claims what [loop] offers: it has that in hand
    then. One step. *)

val give : Worker.t -> Worker.loop -> all:bool -> behind:bool -> bool
(** [give w loop ~all ~behind] gives thieves all that is left of [loop], or a half of it, which is
    to go first, or [behind] what [w] has to do. [false] if nothing is left. *)

val give_all : Worker.t -> behind:bool -> unit
(** [give_all w ~behind] gives all of each. *)

(** {1 For the frame of a loop} *)

val take_first : Worker.loop -> bool
(** [take_first loop] takes back the leftmost part, if nobody has begun that. One step. *)

val take_offer : Worker.loop -> bool
(** [take_offer loop] is the same for what [loop] offers. *)

val take_all : Worker.loop -> unit
(** [take_all loop] takes back all that nobody has begun, for a loop that has failed. *)

val seize : Worker.loop -> unit
(** [seize loop], on another worker than before, has nobody give parts of [loop] any more. May be
    called again. *)

val copy : Worker.loop -> Worker.loop
(** [copy loop] is what is left of [loop], which was seized; it is asked to look around. *)

val hides_nothing : Worker.loop -> bool
(** [hides_nothing loop] is whether nothing is left of [loop] but what it gave or offers. *)

val has_any : Worker.loop -> bool
(** [has_any loop] is whether there are iterations that nobody has begun. Any thread; a guess. *)
