(** Exchanges with slots: see {!Exchange}, which this is one kind of. Any domain. Lock-free. A step
    is amortised O(1), and O(log n) with [n] who wait; one that fetches [n] messages is O(n). *)

type ('a, 'r, 's) t
(** The type for pipes of messages ['a], where receivers ['r] and senders ['s] wait. *)

val create : int -> ('a, 'r, 's) t
(** [create capacity] is empty. [capacity] is positive. *)

val length : ('a, 'r, 's) t -> int
val is_closed : ('a, 'r, 's) t -> bool
val offer : ('a, 'r, 's) t -> 'a -> 'r Transfer.sent
val fill : ('a, 'r, 's) t -> 'a -> 'r Transfer.sent
val vacate : ('a, 'r, 's) t -> 's option
val queue_sender : ('a, 'r, 's) t -> 's -> int option
val remove_sender : ('a, 'r, 's) t -> int -> 's -> unit
val take : ('a, 'r, 's) t -> ('a, 's) Transfer.received
val queue_receiver : ('a, 'r, 's) t -> 'r -> int option
val remove_receiver : ('a, 'r, 's) t -> int -> 'r -> unit
val close : ('a, 'r, 's) t -> 'r list * 's list
