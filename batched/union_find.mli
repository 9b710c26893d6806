(** Sets that only grow together.

    The elements are the integers from 0 on, each in a set by itself at first. A batch first looks
    up, in parallel, the roots of all elements that it names, which shortens their paths; what is
    settled then has its answer. The unions that remain are done one after the other, a few steps
    each: Simsiri, Tangwongsan, Tirthapura, Wu, {e Work-Efficient Parallel Union-Find} (Euro-Par
    2016), without the parallel linking. Union by size, and path halving: Tarjan, van Leeuwen,
    {e Worst-case Analysis of Set Union Algorithms} (JACM 31(2), 1984).

    Linearizable, in the order of a batch. An operation on an element that does not exist fails
    alone with [Invalid_argument]. From any thread; suspends or blocks while a batch runs.

    Bounds: a single operation takes O(log n) for n elements, and nearly O(1) when amortized. A
    batch of b operations has work O(b) times that, and a span of O(log b + log n) and one step for
    each operation that is not settled at once. *)

type t
(** The type for partitions of the integers from 0 to some [n - 1]. *)

val create : ?pool:Drover.Pool.t -> int -> t
(** [create n] has [n] sets of one element. [pool] is where batches run (default: where their
    operations come from). Raises [Invalid_argument] if [n < 0]. *)

(** {1 One operation} *)

val add : t -> int
(** [add t] is a new element, in a set by itself. O(1), amortized. *)

val union : t -> int -> int -> bool
(** [union t x y] makes one set of those of [x] and [y], and is [true] iff they were two. *)

val find : t -> int -> int
(** [find t x] is an element of the set of [x], the same for all its elements until a union changes
    it. *)

val connected : t -> int -> int -> bool
(** [connected t x y] is [true] iff [x] and [y] are in one set. *)

(** {1 Many} *)

val union_all : t -> (int * int) array -> unit
(** [union_all t pairs] unites the sets of each pair, as one batch. *)

val connected_all : t -> (int * int) array -> bool array
(** [connected_all t pairs] is {!connected} of each pair, as one batch. *)

type op
(** The type for operations, as values. *)

val union_op : int -> int -> op
(** [union_op x y] is {!union}; its result is [1] for [true] and [0] for [false]. *)

val find_op : int -> op
(** [find_op x] is {!find}. *)

val connected_op : int -> int -> op
(** [connected_op x y] is {!connected}, with a result as that of {!union_op}. *)

val result : op -> int
(** [result op] is the result. Raises [Invalid_argument] if [op] named an element that does not
    exist, or has not been applied. *)

val apply : t -> op array -> unit
(** [apply t ops] applies a batch in its order. An operation that fails does not make [apply] fail.
*)

(** {1 Looking} *)

val length : t -> int
(** [length t] is the number of elements. *)

val sets : t -> int
(** [sets t] is the number of sets. *)

val to_array : t -> int array
(** [to_array t] is a snapshot: {!find} of each element, at one moment. Work O(n log n) at most,
    span O(log n). *)

val validate : t -> unit
(** [validate t] raises [Failure] if [t] breaks a rule of its representation, which is an error of
    this library. For tests. O(n). *)

val batch_sizes : t -> int array
(** [(batch_sizes t).(i)] is how many batches have had 2{^ i} to 2{^ i+1} - 1 operations, where a
    batch that was handed in counts as one operation. Exact when no operation is in progress. Never
    waits. *)
