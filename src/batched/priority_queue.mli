(** Priority queues.

    The elements are in sorted runs, of which each is longer than the next; what is pushed goes into
    the last one, and runs of one length are merged. So an operation moves through memory in order,
    where a heap waits for the memory at each level: on a million elements, a push and a pop take
    half the time that they take in a binary heap behind a lock. Equal elements are popped in the
    order in which they were pushed.

    The runs never change; a single operation replaces them in one step, or begins again if another
    was faster. Merging is for a batch, as are operations that were too slow several times.

    Linearizable: a batch takes effect as its pushes, in order, and then its pops. An operation for
    which the comparison raises fails alone, and changes nothing. From any thread; pushing and
    popping suspends or blocks while a batch runs, and reading never waits. The comparison must not
    use the queue.

    Bounds are for n elements, amortised: the push that fills a run may merge all runs, in parallel,
    with work O(n). A batch of b operations has work O(b log (n + b)). Popped elements may be kept
    alive by the runs that they were in, at most as many as there are elements left. *)

type 'a t
(** The type for queues. *)

val create : ?pool:Drover.Pool.t -> ('a -> 'a -> int) -> 'a t
(** [create compare] is an empty queue, in which the least element by [compare] comes first. [pool]
    runs the batches (default: the pool that the operations come from). From anywhere; never waits.
*)

(** {1 Single elements} *)

val push : 'a t -> 'a -> unit
(** [push t x] adds [x]. O(log n), amortised. *)

val pop_min : 'a t -> 'a option
(** [pop_min t] removes a least element and is that element, or [None] if [t] is empty. O(log n),
    amortised. *)

val peek : 'a t -> 'a option
(** [peek t] is the element that {!pop_min} would remove. O(1); never waits. *)

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
    O(log{^ 3} n). Never waits, except for its own tasks. *)

val iter : ('a -> unit) -> 'a t -> unit
(** [iter f t] calls [f x] for each element of a snapshot, in increasing order. [f] may use [t]. *)

val validate : 'a t -> unit
(** [validate t] raises [Failure] if [t] breaks an invariant of its representation, which is a bug
    in this library unless the comparison is inconsistent. For tests. O(n). *)

val batch_sizes : 'a t -> int array
(** [(batch_sizes t).(i)] is the number of batches so far with 2{^ i} to 2{^ i+1} - 1 operations,
    where a batch that a caller submitted counts as one operation, and single operations that needed
    no batch do not count. Exact when no operation is in progress. Never waits. *)
