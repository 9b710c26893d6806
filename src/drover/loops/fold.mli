(** Loops with accumulators that follow the steals: each run of a loop (see [Run]) has a state of
    its own. Any thread; suspends, and raises, as [Divisible.run] does. *)

val fold :
  ?grain:int ->
  start:int ->
  finish:int ->
  make:(unit -> 'a) ->
  merge:('a -> 'a -> 'a) ->
  ('a -> int -> 'a) ->
  'a
(** [fold] is [Drover.parallel_fold]. *)

val fold_range :
  ?grain:int ->
  start:int ->
  finish:int ->
  make:(unit -> 'a) ->
  merge:('a -> 'a -> 'a) ->
  ('a -> int -> int -> 'a) ->
  'a
(** [fold_range] is [Drover.parallel_fold_range]. *)

val fold_as :
  string ->
  ?grain:int ->
  start:int ->
  finish:int ->
  make:(unit -> 'a) ->
  merge:('a -> 'a -> 'a) ->
  ('a -> int -> 'a) ->
  'a
(** [fold_as caller] is {!fold}, and [caller] in what it raises. *)

val over :
  ?grain:int -> int -> make:(unit -> 'a) -> merge:('a -> 'a -> 'a) -> ('a -> int -> int -> 'a) -> 'a
(** [over ~grain n ~make ~merge step] is the states of 0..n-1, divided as [Spread.over] does, merged
    from left to right. Of parts that others take each has [grain] (1) elements at least. *)
