(** Vectors that many tasks append to.

    Linearizable: a batch counts as its appends and then the others, each in their order. An
    operation on an index that is not there fails alone with [Invalid_argument], and so does an
    update whose function raises. From any thread; suspends or blocks while a batch runs. The
    functions that the user gives must not use the vector itself.

    Bounds: a single operation takes O(1), amortized for {!append}. A batch of b operations has work
    O(b) and span O(log b) and b / 64 steps; operations on one element come one after the other. To
    make room, n elements are copied in one move of memory. *)

type 'a t
(** The type for vectors of ['a]. *)

val create : ?pool:Drover.Pool.t -> unit -> 'a t
(** [create ()] has no elements. [pool] is where batches run (default: where their operations come
    from). *)

(** {1 One element} *)

val append : 'a t -> 'a -> int
(** [append t x] puts [x] behind the last element, and is its index. *)

val get : 'a t -> int -> 'a
(** [get t i] is the element at [i]. Raises [Invalid_argument] if there is none. *)

val set : 'a t -> int -> 'a -> unit
(** [set t i x] puts [x] in place of the element at [i]. Raises as {!get}. *)

val update : 'a t -> int -> ('a -> 'a) -> unit
(** [update t i f] replaces the element at [i] by what [f] makes of it, in one step. Raises as
    {!get}. *)

val pop : 'a t -> 'a option
(** [pop t] takes off the last element; [None] if there is none. *)

(** {1 Many} *)

val append_all : 'a t -> 'a array -> int
(** [append_all t xs] puts [xs] at the end, next to each other, and is the index of the first. *)

type 'a op
(** The type for operations, as values. *)

val append_op : 'a -> 'a op
(** [append_op x] is {!append}. *)

val get_op : int -> 'a op
(** [get_op i] is {!get}. *)

val set_op : int -> 'a -> 'a op
(** [set_op i x] is {!set}. *)

val update_op : int -> ('a -> 'a) -> 'a op
(** [update_op i f] is {!update}. *)

val index : 'a op -> int
(** [index op] is the index that [op] names, or that an append has got. Raises as {!element}. *)

val element : 'a op -> 'a
(** [element op] is what was at the index before [op], or what has been appended. Raises what [op]
    failed with, with its backtrace, and [Invalid_argument] if it has not been applied. *)

val apply : 'a t -> 'a op array -> unit
(** [apply t ops] applies a batch. An operation that fails does not make [apply] fail. *)

(** {1 Looking} *)

val length : 'a t -> int
(** [length t] is the number of elements. *)

val to_array : 'a t -> 'a array
(** [to_array t] is a snapshot: the elements of one moment. O(n): one move of memory. *)

val iter : ('a -> unit) -> 'a t -> unit
(** [iter f t] is [f x] for each element of a snapshot, one after the other. [f] may use [t]. *)

val batch_sizes : 'a t -> int array
(** [(batch_sizes t).(i)] is how many batches have had 2{^ i} to 2{^ i+1} - 1 operations, where a
    batch that was handed in counts as one operation. Exact when no operation is in progress. Never
    waits. *)
