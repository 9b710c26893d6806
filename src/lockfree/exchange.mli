(** Where messages pass from senders to receivers: the shared memory of a channel.

    A message needs a slot, of which there are as many as the capacity. While receivers wait there
    are no messages, and while senders wait there is no free slot. Senders and receivers wait in
    line: first come, first served. While slots are given to senders that have not filled them yet,
    a receiver may wait beside another sender: what fills such a slot goes to the receiver, and the
    slot to the sender.

    Nobody is called here. The caller gets whom its step concerns, out of the line: a receiver to
    hand the message to, or a sender to tell that it has a slot. If that one is not there any more,
    the caller tries the next: with {!offer} or {!fill} again, or {!vacate}.

    Without a capacity, a rendezvous, there are no slots: a sender hands its message to a receiver
    that waits, or a receiver takes that of a sender that waits. *)

type ('a, 'r, 's) t
(** The type for exchanges of messages ['a], where receivers ['r] and senders ['s] wait. *)

val create : int -> ('a, 'r, 's) t
(** [create capacity] is empty. [capacity] is not negative. *)

val has_slots : ('a, 'r, 's) t -> bool
(** [has_slots e] is [false] iff the capacity is 0. *)

val length : ('a, 'r, 's) t -> int
(** [length e] is how many slots are taken: by messages, and by senders that were given one and have
    not filled it yet. Any domain. Never waits. *)

val is_closed : ('a, 'r, 's) t -> bool
(** [is_closed e] is [true] iff [e] is closed. Any domain. Never waits. *)

(** {1 Sending}

    Any domain. Lock-free. *)

(** What became of a message. *)
type 'r sent = 'r Transfer.sent =
  | Stored  (** it has a slot *)
  | For of 'r  (** who is to have it, and is out of the line now *)
  | Full  (** nothing has changed *)
  | Refused  (** [e] is closed *)

val offer : ('a, 'r, 's) t -> 'a -> 'r sent
(** [offer e v] sends [v], if that needs no wait. *)

val fill : ('a, 'r, 's) t -> 'a -> 'r sent
(** [fill e v] sends [v] with the slot that the caller was given; never [Full]. After [For r] the
    caller has the slot still, and should {!vacate} it. *)

val vacate : ('a, 'r, 's) t -> 's option
(** [vacate e] gives a slot back: to the sender that is returned, which is out of the line now, or
    to all. *)

val queue_sender : ('a, 'r, 's) t -> 's -> int option
(** [queue_sender e s] puts [s] in line, with the ticket that is returned; [None], and nothing else,
    if a sender need not wait now. *)

val remove_sender : ('a, 'r, 's) t -> int -> 's -> unit
(** [remove_sender e ticket s] takes [s] out of the line, if it is still there. *)

(** {1 Receiving}

    Any domain. Lock-free. *)

(** What was there to receive. *)
type ('a, 's) received = ('a, 's) Transfer.received =
  | Message of 'a * 's option
      (** and the sender, out of the line now, that the slot passes to; see {!vacate} *)
  | From of 's  (** who has the message, and is out of the line now *)
  | Empty  (** nothing *)
  | Over  (** nothing, and [e] is closed *)

val take : ('a, 'r, 's) t -> ('a, 's) received
(** [take e] receives the oldest message, if there is one. *)

val queue_receiver : ('a, 'r, 's) t -> 'r -> int option
(** [queue_receiver e r] puts [r] in line, with the ticket that is returned; [None], and nothing
    else, if a receiver need not wait now. *)

val remove_receiver : ('a, 'r, 's) t -> int -> 'r -> unit
(** [remove_receiver e ticket r] takes [r] out of the line, if it is still there. *)

(** {1 Closing} *)

val close : ('a, 'r, 's) t -> 'r list * 's list
(** [close e] closes [e], and takes all who wait out of their lines. Messages in slots stay. Any
    domain. Lock-free. *)
