(** Loops that others help with while they run.

    A call of a loop is made of runs: one, and one for each part that others take (see {!Run}). *)

val run :
  grain:int ->
  combine:('a -> 'a -> 'a) ->
  steps:(Run.t -> int -> 'a) ->
  start:int ->
  finish:int ->
  'a
(** [run ~grain ~combine ~steps ~start ~finish] is the shares of all of [start .. finish], which is
    not empty, combined in their order. [steps run i] takes [i] and then all iterations of [run],
    and is their share. A part has at least [grain] iterations, the last apart. Any thread; one
    outside the pools waits for a task of the default pool. Suspends until all parts have ended.
    Raises the first failure (see [Error_group]). *)

val run_unit : grain:int -> steps:(Run.t -> int -> unit) -> start:int -> finish:int -> unit
(** [run_unit] is the same without results. *)
