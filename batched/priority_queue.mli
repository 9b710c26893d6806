(** Priority queues.

    The elements are in a weight-balanced tree like that of {!Tree_map}. Equal elements are popped
    in the order in which they were pushed. One cut takes off the least elements, pushes of a batch
    are sorted and then inserted together, and reading needs no batch. Compared with a binary heap,
    a push costs a search, and a pop costs less.

    Linearizable: a batch takes effect as its pushes, in order, and then its pops. A push for which
    the comparison raises fails alone. From any thread; pushing and popping suspends or blocks while
    a batch runs, and reading never waits. The comparison must not use the queue.

    Bounds are for n elements. A batch of b operations has work O(b log b + b log (n/b + 1)) and
    span O(log{^ 3} b + log b log n), plus O(b) to return the popped elements. *)

type 'a t
(** The type for queues. *)

val create : ?pool:Drover.Pool.t -> ('a -> 'a -> int) -> 'a t
(** [create compare] is an empty queue, in which the least element by [compare] comes first. [pool]
    runs the batches (default: the pool that the operations come from). From anywhere; never waits.
*)

(** {1 Single elements} *)

val push : 'a t -> 'a -> unit
(** [push t x] adds [x]. O(log n). *)

val pop_min : 'a t -> 'a option
(** [pop_min t] removes a least element and is that element, or [None] if [t] is empty. O(log n). *)

val peek : 'a t -> 'a option
(** [peek t] is the element that {!pop_min} would remove. O(log n); never waits. *)

(** {1 Many operations} *)

val push_all : 'a t -> 'a array -> unit
(** [push_all t xs] adds [xs] as one batch. *)

val pop_many : 'a t -> int -> 'a array
(** [pop_many t n] removes the [n] least elements at once, or all if there are fewer, and is the
    array of them in increasing order. Raises [Invalid_argument] if [n < 0]. *)

type 'a op
(** The type for operations, as values. *)

val push_op : 'a -> 'a op
(** [push_op x] is the operation {!push}. *)

val pop_op : unit -> 'a op
(** [pop_op ()] is the operation {!pop_min}. *)

val result : 'a op -> 'a option
(** [result op] is the popped element; [None] for a push. If [op] failed, raises its exception with
    its backtrace. Raises [Invalid_argument] if [op] has not been applied. *)

val apply : 'a t -> 'a op array -> unit
(** [apply t ops] applies [ops] as one batch. An operation that fails does not make [apply] fail. *)

(** {1 The whole structure} *)

val length : 'a t -> int
(** [length t] is the number of elements. O(1), never waits. *)

val to_array : 'a t -> 'a array
(** [to_array t] is the array of the elements at one moment, in increasing order. Work O(n), span
    O(log n). Never waits, except for its own tasks. *)

val iter : ('a -> unit) -> 'a t -> unit
(** [iter f t] calls [f x] for each element of a snapshot, in increasing order. [f] may use [t]. *)

val validate : 'a t -> unit
(** [validate t] raises [Failure] if [t] breaks an invariant of its representation, which is a bug
    in this library unless the comparison is inconsistent. For tests. O(n). *)

val batch_sizes : 'a t -> int array
(** [(batch_sizes t).(i)] is the number of batches so far with 2{^ i} to 2{^ i+1} - 1 operations,
    where a batch that a caller submitted counts as one operation. Exact when no operation is in
    progress. Never waits. *)
