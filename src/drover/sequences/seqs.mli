(** Lazy sequences, mapped in parallel.

    The result is a sequence for one consumer, who may consume it once (a second time raises
    [Seq.Forced_twice]). The consumer forces the source, one element after the other; the source may
    be infinite. When the consumer requests a result, tasks are started for further elements, as
    long as there are at most [ahead] elements whose results have not been consumed. The consumer
    then suspends or blocks until the result that it requested is there. When the consumer stops,
    the tasks that have started run on to their end.

    A task costs about two microseconds. So where elements take less than that, it carries several,
    as a loop: as many as take some 30 microseconds, but at most 256, and at most [ahead] divided by
    twice the size of the ambient pool. Elements that take longer have a task each. For cheap
    elements leave [ahead] out, or make it some hundreds. An element costs some 0.1 to 0.2
    microseconds in all. Outside of a task it costs ten more wherever the consumer's thread must be
    woken: so consume short elements in [Drover.run].

    An element may wait for those behind it that have been started by then. While the consumer
    waits, these are at least half of [ahead], and all of [ahead] where elements have a task each;
    by default, four for each worker of the ambient pool.

    If [f] raises, its exception is raised with its backtrace in place of that result. If the source
    raises, its exception comes after all results. All functions raise [Invalid_argument] if
    [ahead < 1]. In the bounds, n is the number of elements that are consumed, and [f] takes one
    step.

    So after [open Drover], [Seq.map] reads ahead, and its result is for one consumer; a sequence
    that is consumed again, or whose source must not be read ahead, is for [Stdlib.Seq.map]. *)

val map : ?ahead:int -> ('a -> 'b) -> 'a Seq.t -> 'b Seq.t
(** [map f s] is the sequence of [f x] for each element [x] of [s], in order. Work O(n), span O(n)
    for the source and O(1) calls of [f] for each [ahead] elements.

    {[
    List.of_seq (Drover.Seq.map succ (List.to_seq [ 1; 2; 3 ])) = [ 2; 3; 4 ]
    ]} *)

val map_unordered : ?ahead:int -> ('a -> 'b) -> 'a Seq.t -> 'b Seq.t
(** [map_unordered f s] is the sequence of [f x] for each element [x] of [s], in the order in which
    the results become ready. Bounds of {!map}.

    {[
    let found = Drover.Seq.map_unordered succ (List.to_seq [ 1; 2; 3 ]) in
    List.sort Int.compare (List.of_seq found) = [ 2; 3; 4 ]
    ]} *)

val iter : ?ahead:int -> ('a -> unit) -> 'a Seq.t -> unit
(** [iter f s] calls [f] on each element of [s], in any order. Bounds of {!map}.

    {[
    let sum = Atomic.make 0 in
    let add n = ignore (Atomic.fetch_and_add sum n) in
    Drover.Seq.iter add (List.to_seq [ 1; 2; 3 ]);
    Atomic.get sum = 6
    ]} *)

(** {1 The serial rest}

    These are all other functions of [Stdlib.Seq], so that [open Drover] takes none away. They can
    be consumed as often as their source. For a search or a filter that takes long for each element,
    consume or filter what {!map} has computed: [exists Fun.id (map f s)],
    [filter_map Fun.id (map f s)]. *)

include Serial.Seq
(** @inline *)
