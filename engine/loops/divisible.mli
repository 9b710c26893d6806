(** Loops that others help with while they run.

    A loop takes its iterations one after the other, as a [for] does, and makes no job before
    somebody wants one. One worker's stretch of it is a {e run}. What it takes is written in its
    [Worker.loop], from which parts are given away at any safepoint: so between a look at [until]
    and the step of [next] there is none. *)

type 'a t
(** The type for calls of loops whose runs have shares ['a] of the result. *)

type 'a run
(** The type for runs. *)

val run :
  grain:int ->
  combine:('a -> 'a -> 'a) ->
  steps:('a t -> 'a run -> int -> 'a) ->
  start:int ->
  finish:int ->
  'a
(** [run ~grain ~combine ~steps ~start ~finish] is the shares of all of [start .. finish], which is
    not empty, combined from left to right. [steps t run i] takes [i] and then all iterations of
    [run], and is their share. A part has at least [grain] iterations, the last apart. Any thread;
    one outside the pools waits for a task of the default pool. Suspends while others have parts.
    Raises the first failure (see [Gather]). *)

val run_unit :
  grain:int -> steps:(unit t -> unit run -> int -> unit) -> start:int -> finish:int -> unit
(** [run_unit] is the same without results, where an iteration that suspends does not keep the
    others (see [Alone]). *)

(** {1 In [steps]} *)

val grain : 'a t -> int
(** [grain t] is the least number of iterations in a part. *)

val home : 'a run -> Worker.t
(** [home run] is the worker that [run] is on, unless its frame has moved. *)

val loop : 'a run -> Worker.loop
(** [loop run] is where [run] takes its iterations. It is another one each time that the frame has
    moved. *)

val is_ready : 'a run -> bool
(** [is_ready run] is whether [run] may take its next iteration at once. No safepoint. *)

val more : 'a t -> 'a run -> bool
(** [more t run] is whether there are more iterations, from [(loop run).next] on, for the caller to
    take. To be called between two of them when [next] is not below [until], or the frame has moved:
    looks what there is to do for others. Raises if the task is cancelled, or a piece has failed. *)

val look : 'a t -> 'a run -> bool
(** [look t run] is [more t run] where [run] is not ready. *)

val take_upto : 'a run -> int -> int
(** [take_upto run upto] takes all up to [upto], or as many as are left, and not only the next one;
    and is the first that it does not get. *)

val before_first : 'a run -> float
(** [before_first run], when the first iteration begins, is what {!after_first} is to be given. *)

val after_first : 'a run -> float -> unit
(** [after_first run since], when it has ended, sees to it that a loop that is not short wakes a
    sleeper. *)
