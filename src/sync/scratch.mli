(** Scratch values: buffers, tables, arrays that a piece of work needs for a while, and that are too
    large to be made each time. *)

type 'a t
(** The type for stores of scratch values of type ['a]. *)

val create : (unit -> 'a) -> 'a t
(** [create make] is a store, empty as yet, of what [make] makes. Never waits. *)

val use : 'a t -> ('a -> 'b) -> 'b
(** [use s f] is [f x], where [x] is a value of [s] that nobody else has until [f] returns, also if
    [f] suspends and goes on elsewhere; it was used last on this domain if possible. [x] is as its
    last user has left it: [f] clears it first. There are as many values as uses at a time, about
    one for each worker unless [f] waits. If [f] raises, [x] is not used again. [f] must not keep
    [x]. From any thread. Never waits; costs some dozen nanoseconds. *)
