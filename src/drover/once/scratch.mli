(** Scratch values: buffers, tables or arrays that a computation needs for a while, and that are too
    large to be made each time. *)

type 'a t
(** The type for stores of scratch values of type ['a]. *)

val create : (unit -> 'a) -> 'a t
(** [create make] is an empty store, whose values [make] makes when they are needed. From anywhere;
    never waits. *)

val use : 'a t -> ('a -> 'b) -> 'b
(** [use s f] is [f x], where [x] is a value of [s] that nobody else uses until [f] returns, even if
    [f] suspends and resumes on another domain. If possible, [x] was last used on this domain. [x]
    is as its last user left it, so [f] should clear it first. There are as many values as there are
    uses at the same time: about one for each worker, unless [f] waits. If [f] raises, [x] is not
    used again. [f] must not keep [x]. From any thread. Never waits, besides what [f] does. Costs a
    few dozen nanoseconds. *)
