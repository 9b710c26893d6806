(** Exchanges without slots: see {!Exchange}, whose functions these are for a capacity of 0. *)

type ('a, 'r, 's) t
(** The type for exchanges of messages ['a], where either receivers ['r] or senders ['s] wait. *)

val create : unit -> ('a, 'r, 's) t
val is_closed : ('a, 'r, 's) t -> bool
val close : ('a, 'r, 's) t -> unit

(** {1 Sending} *)

val offer : ('a, 'r, 's) t -> 'r Transfer.sent
val queue_sender : ('a, 'r, 's) t -> 's Line.place -> bool
val first_sender : ('a, 'r, 's) t -> 's Line.place option
val remove_sender : ('a, 'r, 's) t -> 's Line.place -> unit

(** {1 Receiving} *)

val take : ('a, 'r, 's) t -> 'a option
val lack : ('a, 'r, 's) t -> 's Transfer.lack
val draw : ('a, 'r, 's) t -> 'a Transfer.message -> unit
val queue_receiver : ('a, 'r, 's) t -> 'r Line.place -> bool
val first_receiver : ('a, 'r, 's) t -> 'r Line.place option
val remove_receiver : ('a, 'r, 's) t -> 'r Line.place -> unit
val give_back : ('a, 'r, 's) t -> 'a -> 'a Transfer.message -> 'r Transfer.sent
