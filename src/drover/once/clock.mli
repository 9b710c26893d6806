(** Clocks: which of a bounded number of items is to go when another comes. It is the one that came
    first, but for those that were used since the hand of the clock last passed them. Any thread;
    lock-free. *)

type 'a t
(** The type for clocks of ['a]. *)

val create : int -> 'a t
(** [create bound] has places for [bound] items. *)

val add : 'a t -> was_used:('a -> bool) -> evict:('a -> unit) -> 'a -> unit
(** [add t ~was_used ~evict item] gives [item] a place, perhaps that of another, which is evicted
    before. [was_used item] is whether it was used since the last [was_used item]. *)
