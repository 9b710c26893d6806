(** Exchanges with slots: see {!Exchange}, which this is one kind of. Any domain. Lock-free. A step
    is amortised O(1), and O(log n) with [n] who wait; one that fetches [n] messages is O(n). *)

type ('a, 'r, 's) t
(** The type for pipes of messages ['a], where receivers ['r] and senders ['s] wait. *)

val create : int -> ('a, 'r, 's) t
(** [create capacity] is empty. [capacity] is positive. *)

val length : ('a, 'r, 's) t -> int
val is_closed : ('a, 'r, 's) t -> bool
val offer : ('a, 'r, 's) t -> 'a -> 'r Transfer.sent
val fill : ('a, 'r, 's) t -> 'a -> Transfer.slot -> 'r Transfer.sent
val vacate : ('a, 'r, 's) t -> Transfer.slot -> unit
val creditor : ('a, 'r, 's) t -> 's Line.place option
val queue_sender : ('a, 'r, 's) t -> 's Line.place -> bool
val remove_sender : ('a, 'r, 's) t -> with_slot:bool -> 's Line.place -> unit
val forget : ('a, 'r, 's) t -> unit
val first_sender : ('a, 'r, 's) t -> 's Line.place option
val take : ('a, 'r, 's) t -> 'a option
val lack : ('a, 'r, 's) t -> 's Transfer.lack
val draw : ('a, 'r, 's) t -> 'a Transfer.message -> unit
val give_back : ('a, 'r, 's) t -> 'a -> 'a Transfer.message -> 'r Transfer.sent
val receiver_after_all : ('a, 'r, 's) t -> 'r Line.place option
val queue_receiver : ('a, 'r, 's) t -> 'r Line.place -> bool
val remove_receiver : ('a, 'r, 's) t -> 'r Line.place -> unit
val first_receiver : ('a, 'r, 's) t -> 'r Line.place option
val close : ('a, 'r, 's) t -> unit
