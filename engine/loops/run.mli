(** Runs: one worker's stretch of a loop, and how it is asked and gives.

    A run takes its iterations one after the other, as a [for] does. They are written in its
    [Worker.loop], from which parts are given away at any safepoint: so between a look at [until]
    and the step of [next] there is none. All of this is for the run's own frame; nothing waits. *)

type 'a t
(** The type for runs of loops whose runs have shares ['a] of the result. *)

type 'a call = private {
  errors : Error_group.t;
  grain : int;
  steps : 'a t -> int -> 'a;
  go : 'a call -> Worker.t -> int -> int -> 'a;
  combine : 'a -> 'a -> 'a;
  caller : Context.t;
  joins_all : bool;
  mutable is_long : bool;  (** a thief waited for the end of an iteration; a guess *)
  mutable alone : Alone.t option; [@atomic]  (** made with the first part on its own *)
}
(** The type for what one call of a loop is made of. *)

val call :
  Worker.t ->
  joins_all:bool ->
  grain:int ->
  combine:('a -> 'a -> 'a) ->
  steps:('a t -> int -> 'a) ->
  go:('a call -> Worker.t -> int -> int -> 'a) ->
  'a call
(** [call w ~joins_all ~grain ~combine ~steps ~go] is a call by the task of [w]. Its parts have at
    least [grain] iterations, the last apart. [steps run i] takes [i] and then all iterations of
    [run], and is their share; [go call w next stop] is that of a part on [w], which is not empty. A
    loop that [joins_all], as one with a result does, has no parts on their own. *)

val alone : 'a call -> Alone.t option
(** [alone call] is its parts on their own, if there were any. *)

(** {1 In [steps]} *)

val grain : 'a t -> int
(** [grain run] is that of its call. *)

val home : 'a t -> Worker.t
(** [home run] is the worker that [run] is on, unless its frame has moved. *)

val loop : 'a t -> Worker.loop
(** [loop run] is where [run] takes its iterations. It is another one each time that the frame has
    moved. *)

val is_ready : 'a t -> bool
(** [is_ready run] is whether [run] may take its next iteration at once. No safepoint. *)

val more : 'a t -> bool
(** [more run] is whether there are more iterations, from [(loop run).next] on, for the caller to
    take. To be called between two of them when [next] is not below [until], or the frame has moved:
    looks what there is to do for others. Raises if the task is cancelled, or a piece has failed. *)

val look : 'a t -> bool
(** [look run] is [more run] where [run] is not ready. *)

val has_next : Worker.loop -> Worker.domain -> bool
(** [has_next loop domain] is whether the run of [loop] may take its next iteration, as on [domain],
    where it was when it last had {!more}. No safepoint; nor may there be one before {!take}. *)

val take : Worker.loop -> int
(** [take loop] takes the next iteration, and is its index. *)

val take_upto : 'a t -> int -> int
(** [take_upto run upto] takes all up to [upto], or as many as are left, and not only the next one;
    and is the first that it does not get. *)

(** {1 Its life} *)

val create : 'a call -> Worker.t -> int -> int -> 'a t
(** [create call w next stop] is to take [next] and then what is left of [next + 1 .. stop - 1], on
    [w]. *)

val enter : 'a t -> unit
(** [enter run], in a handler of its failures: from now on others find it. *)

val leave : 'a t -> unit
(** [leave run]: it has no more iterations, or has failed. May be called again. *)

val rest : 'a t -> 'a Rest.t
(** [rest run] is what it has left, and the parts that it has given. It is another one each time
    that the frame has moved. *)
