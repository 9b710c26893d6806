(** Vectors that many tasks append to.

    Linearizable: a batch takes effect as its appends, in order, and then its other operations, in
    order. An operation on an index that does not exist fails alone with [Invalid_argument]; an
    update whose function raises fails alone with that exception. From any thread; suspends or
    blocks while a batch runs. The functions that you pass must not use the vector itself.

    Bounds: a single operation takes O(1), amortised for {!append}. A batch of b operations has work
    O(b) and span O(log b) plus b / 64 steps; operations on one element come one after the other. To
    make room, n elements are copied in one copy of memory. A vector that is empty keeps no memory;
    until then, or until it grows, it may keep a first element alive that was replaced. *)

type 'a t
(** The type for vectors of ['a]. *)

val create : ?pool:Drover.Pool.t -> unit -> 'a t
(** [create ()] is an empty vector. [pool] runs the batches (default: the pool that the operations
    come from). From anywhere; never waits. *)

(** {1 Single elements} *)

val append : 'a t -> 'a -> int
(** [append t x] adds [x] at the end, and is its index. *)

val get : 'a t -> int -> 'a
(** [get t i] is the element at [i]. Raises [Invalid_argument] if there is none. *)

val set : 'a t -> int -> 'a -> unit
(** [set t i x] replaces the element at [i] by [x]. Raises as {!get} does. *)

val update : 'a t -> int -> ('a -> 'a) -> unit
(** [update t i f] replaces the element [x] at [i] by [f x], atomically. Raises as {!get} does, or
    what [f] raises. *)

val pop : 'a t -> 'a option
(** [pop t] removes the last element and is that element, or [None] if [t] is empty. *)

(** {1 Many operations} *)

val append_all : 'a t -> 'a array -> int
(** [append_all t xs] adds [xs] at the end, next to each other, and is the index of the first. *)

type 'a op
(** The type for operations, as values. *)

val append_op : 'a -> 'a op
(** [append_op x] is the operation {!append}. *)

val get_op : int -> 'a op
(** [get_op i] is the operation {!get}. *)

val set_op : int -> 'a -> 'a op
(** [set_op i x] is the operation {!set}. *)

val update_op : int -> ('a -> 'a) -> 'a op
(** [update_op i f] is the operation {!update}. *)

val index : 'a op -> int
(** [index op] is the index that [op] names, or the index of the appended element. Raises as
    {!element} does. *)

val element : 'a op -> 'a
(** [element op] is the element at the index before [op], or the appended element. If [op] failed,
    raises its exception with its backtrace. Raises [Invalid_argument] if [op] has not been applied.
*)

val apply : 'a t -> 'a op array -> unit
(** [apply t ops] applies [ops] as one batch. An operation that fails does not make [apply] fail. *)

(** {1 The whole structure} *)

val length : 'a t -> int
(** [length t] is the number of elements. *)

val to_array : 'a t -> 'a array
(** [to_array t] is the array of the elements at one moment. O(n): one copy of memory. *)

val iter : ('a -> unit) -> 'a t -> unit
(** [iter f t] calls [f x] for each element of a snapshot, one after the other. [f] may use [t]. *)

val batch_sizes : 'a t -> int array
(** [(batch_sizes t).(i)] is the number of batches so far with 2{^ i} to 2{^ i+1} - 1 operations,
    where a batch that a caller submitted counts as one operation. Exact when no operation is in
    progress. Never waits. *)
