(** Lazy sequences, mapped in parallel.

    The results are a sequence to be consumed once ([Seq.Forced_twice] is raised otherwise), by one
    consumer. The source is forced by the consumer, one element after the other, and may be
    infinite. When the consumer asks for a result, tasks are started for elements until [ahead] of
    them have no consumed result; it then suspends or blocks until the one that it asked for is
    there. [ahead] is four times the size of the ambient pool by default. A consumer that stops
    leaves the tasks that have started to themselves.

    If [f] raises, the exception is raised, with its backtrace, in place of that result; if the
    source does, after all results. All raise [Invalid_argument] if [ahead < 1]. In the bounds, n is
    the number of elements that are consumed, and [f] takes one step. *)

val map : ?ahead:int -> ('a -> 'b) -> 'a Seq.t -> 'b Seq.t
(** [map f s] is [f] of each element of [s], in order. Work O(n), span O(n) for the source and O(1)
    calls of [f] for each [ahead] elements. *)

val map_unordered : ?ahead:int -> ('a -> 'b) -> 'a Seq.t -> 'b Seq.t
(** [map_unordered f s] is [f] of each element of [s], as they become ready. Bounds of {!map}. *)

val iter : ?ahead:int -> ('a -> unit) -> 'a Seq.t -> unit
(** [iter f s] is [f] of each element of [s], in any order. Bounds of {!map}. *)
