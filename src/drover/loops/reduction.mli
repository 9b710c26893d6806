(** What a run of a loop computes of the tree of a reduction (see [Reduction_tree]). *)

val share :
  Run.t ->
  (int -> 'a) ->
  combine:('a -> 'a -> 'a) ->
  block:int ->
  base:int ->
  int ->
  'a Reduction_tree.share
(** [share run f ~combine ~block ~base i] takes [i] and all iterations of [run], and is the share of
    what [f] makes of them, in blocks of [block]. The loop begins with [base]. *)
