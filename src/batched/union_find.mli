(** Disjoint sets that are merged.

    The elements are the integers from 0 on, each in a set of its own at first. A batch first finds,
    in parallel, the roots of all elements that it names, which also shortens their paths. This
    answers many operations. The unions that remain are done one after the other, in a few steps
    each: Simsiri, Tangwongsan, Tirthapura, Wu, {e Work-Efficient Parallel Union-Find} (Euro-Par
    2016), without the parallel linking. Union by size, and path halving: Tarjan, van Leeuwen,
    {e Worst-case Analysis of Set Union Algorithms} (JACM 31(2), 1984).

    Linearizable; a batch takes effect in its order. An operation on an element that does not exist
    fails alone with [Invalid_argument]. From any thread; suspends or blocks while a batch runs.

    Bounds: a single operation takes O(log n) for n elements, and nearly O(1) amortised. A batch of
    b operations has work O(b) times that, and span O(log b + log n) plus one step for each union
    that remains. *)

type t
(** The type for partitions of the integers from 0 to some [n - 1]. *)

val create : ?pool:Drover.Pool.t -> int -> t
(** [create n] is a partition into [n] sets of one element. [pool] runs the batches (default: the
    pool that the operations come from). From anywhere; never waits. Raises [Invalid_argument] if
    [n < 0], or if no array has that length. *)

(** {1 Single operations} *)

val add : t -> int
(** [add t] is a new element, in a set of its own. O(1), amortised. *)

val union : t -> int -> int -> bool
(** [union t x y] merges the sets of [x] and [y], and is [true] iff they were different. *)

val find : t -> int -> int
(** [find t x] is the representative of the set of [x]: an element that is the same for the whole
    set until a union changes it. *)

val connected : t -> int -> int -> bool
(** [connected t x y] is [true] iff [x] and [y] are in one set. *)

(** {1 Many operations} *)

val union_all : t -> (int * int) array -> unit
(** [union_all t pairs] merges the sets of each pair, as one batch. Pairs that come in an order in
    which elements near each other are near each other, as those of an image's rows or of a mesh,
    are united in parallel; others one after the other. Work is that of the unions, and span O(log
    b) plus b / 64 steps and one for each pair of others. *)

val connected_all : t -> (int * int) array -> bool array
(** [connected_all t pairs] is the array of {!connected} for each pair, as one batch. *)

type op
(** The type for operations, as values. *)

val union_op : int -> int -> op
(** [union_op x y] is the operation {!union}; its result is [1] for [true] and [0] for [false]. *)

val find_op : int -> op
(** [find_op x] is the operation {!find}. *)

val connected_op : int -> int -> op
(** [connected_op x y] is the operation {!connected}, with a result as for {!union_op}. *)

val result : op -> int
(** [result op] is the result of [op]. Raises [Invalid_argument] if [op] named an element that does
    not exist, or has not been applied. *)

val apply : t -> op array -> unit
(** [apply t ops] applies [ops] as one batch, in order. An operation that fails does not make
    [apply] fail. *)

(** {1 The whole structure} *)

val length : t -> int
(** [length t] is the number of elements. *)

val sets : t -> int
(** [sets t] is the number of sets. *)

val to_array : t -> int array
(** [to_array t] is the array of {!find} for each element, at one moment. Work O(n log n) at most,
    span O(log n). *)

val validate : t -> unit
(** [validate t] raises [Failure] if [t] breaks an invariant of its representation, which is a bug
    in this library. For tests. O(n). *)

val batch_sizes : t -> int array
(** [(batch_sizes t).(i)] is the number of batches so far with 2{^ i} to 2{^ i+1} - 1 operations,
    where a batch that a caller submitted counts as one operation. Exact when no operation is in
    progress. Never waits. *)
