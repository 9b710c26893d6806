(** Loops over intervals of integers.

    The first five are those of [Drover], without [parallel_]. Any thread; each suspends, and
    raises, as [Divisible.run] does. *)

val iter : ?grain:int -> start:int -> finish:int -> (int -> unit) -> unit
(** [iter] is [Drover.parallel_for]. *)

val range : ?grain:int -> start:int -> finish:int -> (int -> int -> unit) -> unit
(** [range] is [Drover.parallel_range]. *)

val reduce :
  ?grain:int -> start:int -> finish:int -> init:'a -> combine:('a -> 'a -> 'a) -> (int -> 'a) -> 'a
(** [reduce] is [Drover.parallel_reduce]. *)

val reduce_range :
  ?grain:int ->
  start:int ->
  finish:int ->
  init:'a ->
  combine:('a -> 'a -> 'a) ->
  (int -> int -> 'a) ->
  'a
(** [reduce_range] is [Drover.parallel_reduce_range]. *)

val find : ?grain:int -> start:int -> finish:int -> (int -> 'a option) -> 'a option
(** [find] is [Drover.parallel_find_any]. *)

(** {1 For other loops} *)

val grain_of : string -> int option -> int
(** [grain_of caller grain] is the grain that [caller], a function of [Drover], was given, or 1.
    Raises [Invalid_argument] if it is less. *)

val halvings_of : Run.t -> int
(** [halvings_of run] is how often the rest of [run] is halved for one call of a body that takes an
    interval; 0 for one worker. *)

val last_of_call : Run.t -> halvings:int -> start:int -> int -> int
(** [last_of_call run ~halvings ~start i] is the last of the iterations that a call of such a body
    gets which begins with [i]; they are taken. [run] began with [start]. *)

val leaves : start:int -> finish:int -> int
(** [leaves ~start ~finish] is how many iterations an instrument sees. *)

val pieces : start:int -> finish:int -> int
(** [pieces ~start ~finish] is how many calls of a body that takes an interval an instrument sees.
*)

val combined : Hooks.loop -> ('a -> 'b -> 'c) -> 'a -> 'b -> 'c
(** [combined l combine] is [combine], which an instrument sees by [l]. *)
