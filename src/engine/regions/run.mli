(** Runs: one worker's stretch of a loop, and what it does between two iterations.

    A run takes its iterations one after the other, as a [for] does. They are written in its
    [Worker.loop], of which parts are given away at any safepoint (see [Open_loops]): so between a
    look at [until] and the step of [next] there is none. All of this is for the run's own frame. *)

type t
(** The type for runs. *)

(** {1 In its steps} *)

val home : t -> Worker.t
(** [home run] is the worker that [run] is on, unless its frame has moved. *)

val loop : t -> Worker.loop
(** [loop run] is where [run] takes its iterations. It is another one each time that the frame has
    moved. *)

val is_ready : t -> bool
(** [is_ready run] is whether [run] may take its next iteration at once. No safepoint. *)

val more : t -> bool
(** [more run] is whether there are more iterations, from [(loop run).next] on, for the caller to
    take. To be called between two of them when [next] is not below [until], or the frame has moved:
    looks what there is to do for others. Waits where the worker should stand by. Raises if the task
    is cancelled, or a piece has failed. *)

val look : t -> bool
(** [look run] is [more run] where [run] is not ready. *)

val has_next : Worker.loop -> This_thread.domain -> bool
(** [has_next loop domain] is whether the run of [loop] may take its next iteration, as on [domain],
    where it was when it last had {!more}. No safepoint; nor may there be one before {!take}. *)

val take : Worker.loop -> int
(** [take loop] takes the next iteration, and is its index. *)

val take_upto : t -> int -> unit
(** [take_upto run upto] takes all before [upto], and not only the next one. No safepoint may lie
    between the look at what is left and this. *)

(** {1 Its life} *)

val create :
  Error_group.t ->
  Worker.t ->
  grain:int ->
  left:int Atomic.t ->
  body:(was_offer:bool -> int -> int -> unit) ->
  int ->
  int ->
  t
(** [create errors w ~grain ~left ~body next stop] is to take [next] and then what is left of
    [next + 1 .. stop - 1], on [w]. A failure in [errors] stops it; the others are as in
    [Open_loops.create]. *)

val start : t -> was_offer:bool -> unit
(** [start run ~was_offer], in a handler of its failures, before its first iteration: from now on
    others find it. If it was an offer it gives a half at once. *)

val finish : t -> unit
(** [finish run]: it has no more iterations. *)

val abandon : t -> unit
(** [abandon run]: it has failed. What nobody has begun is not done any more. *)
