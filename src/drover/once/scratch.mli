(** Scratch values: buffers, tables, connections that a computation needs for a while, and that cost
    too much to be made each time. *)

type 'a t
(** The type for stores of scratch values of type ['a]. *)

val create : ?release:('a -> unit) -> (unit -> 'a) -> 'a t
(** [create make] is an empty store, whose values [make] makes when they are needed. [release], if
    there is one, is called on what the store gives up, once for each value: where a use raises, and
    by {!clear}. From anywhere; never waits. *)

val use : 'a t -> ('a -> 'b) -> 'b
(** [use s f] is [f x], where [x] is a value of [s] that nobody else uses until [f] returns, even if
    [f] suspends and resumes on another domain. If possible, [x] was last used on this domain. [x]
    is as its last user left it, so [f] should clear it first. There are as many values as there are
    uses at the same time: about one for each worker, unless [f] waits. If [f] raises, [x] is not
    used again. [f] must not keep [x]. From any thread. Never waits, besides what [f] does. Costs a
    few dozen nanoseconds.

    In a store with a [release], a use is a [Drover.Scope.bracket]: no cancellation reaches what
    makes and releases [x], nor the moments around [f]; outside of a task, [f] runs as one. That
    costs some hundred nanoseconds. *)

val clear : 'a t -> unit
(** [clear s] gives up all values of [s] that nobody uses now, for instance when all work is done;
    the next use makes another. Without a [release] they are left to the collector. From any thread.
    Never waits, besides what [release] does. If that raises, the rest of the values stay in [s]. *)
