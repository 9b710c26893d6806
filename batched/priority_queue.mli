(** Priority queues.

    The elements are a weight-balanced tree like that of {!Tree_map}, in which several may be equal:
    of these the one that came first goes first. So the least elements come off with one cut, what
    is pushed is put in sorted, and looking needs no batch. Compared with a binary heap, pushing
    costs a search and popping costs less.

    Linearizable: a batch counts as its pushes and then its pops, each in their order. A push for
    which the comparison raises fails alone. From any thread; pushing and popping suspends or blocks
    while a batch runs, looking never waits. The comparison must not use the queue.

    Bounds are for n elements. A batch of b operations has work O(b log b + b log (n/b + 1)) and
    span O(log{^ 3} b + log b log n), and O(b) to hand out what is popped. *)

type 'a t
(** The type for queues. *)

val create : ?pool:Drover.Pool.t -> ('a -> 'a -> int) -> 'a t
(** [create compare] is an empty queue, in which the least element by [compare] comes first. [pool]
    is where batches run (default: where their operations come from). *)

(** {1 One element} *)

val push : 'a t -> 'a -> unit
(** [push t x] puts in [x]. O(log n). *)

val pop_min : 'a t -> 'a option
(** [pop_min t] takes out a least element; [None] if there is none. O(log n). *)

val peek : 'a t -> 'a option
(** [peek t] is what {!pop_min} would take out. O(log n), never waits. *)

(** {1 Many} *)

val push_all : 'a t -> 'a array -> unit
(** [push_all t xs] puts in [xs] as one batch. *)

val pop_many : 'a t -> int -> 'a array
(** [pop_many t n] takes out the [n] least elements, or all if there are fewer, at one time; they
    come in increasing order. Raises [Invalid_argument] if [n < 0]. *)

type 'a op
(** The type for operations, as values. *)

val push_op : 'a -> 'a op
(** [push_op x] is the operation {!push}. *)

val pop_op : unit -> 'a op
(** [pop_op ()] is the operation {!pop_min}. *)

val result : 'a op -> 'a option
(** [result op] is what has been popped; [None] for a push. Raises what [op] failed with, with its
    backtrace, and [Invalid_argument] if it has not been applied. *)

val apply : 'a t -> 'a op array -> unit
(** [apply t ops] applies a batch. An operation that fails does not make [apply] fail. *)

(** {1 Looking} *)

val length : 'a t -> int
(** [length t] is the number of elements. O(1), never waits. *)

val to_array : 'a t -> 'a array
(** [to_array t] is a snapshot: the elements of one moment in increasing order. Work O(n), span
    O(log n); never waits, except for its own tasks. *)

val iter : ('a -> unit) -> 'a t -> unit
(** [iter f t] is [f x] for each element of a snapshot, in increasing order. [f] may use [t]. *)

val validate : 'a t -> unit
(** [validate t] raises [Failure] if [t] breaks a rule of its representation, which is an error of
    this library unless the comparison is inconsistent. For tests. O(n). *)

val batch_sizes : 'a t -> int array
(** [(batch_sizes t).(i)] is how many batches have had 2{^ i} to 2{^ i+1} - 1 operations, where a
    batch that was handed in counts as one operation. Exact when no operation is in progress. Never
    waits. *)
