(** Where messages pass from senders to receivers: the shared memory of a channel.

    A message needs a slot, of which there are as many as the capacity. Receivers get in line only
    while there are no messages, and senders only while there is no free slot. Both wait first come,
    first served. While slots are given to senders that have not filled them yet, a receiver takes
    the message of one of them, or may wait beside another sender: what fills such a slot goes to
    the receiver, and the slot to the sender.

    Nobody is called here, and nobody is taken out of a line: the caller gets whom its step
    concerns, gives that one what is due to it, and then takes it out. Whoever finds somebody in
    line that has been served, or is not there any more, does the latter, too: so it does no harm if
    a caller is late.

    Without a capacity, a rendezvous, there are no slots: a sender hands its message to a receiver
    that waits, or a receiver takes that of a sender that waits.

    Each function makes one step that counts, without a safepoint after it. Any domain. Lock-free.
*)

include module type of struct
  include Transfer
end

type ('a, 'r, 's) t
(** The type for exchanges of messages ['a], where receivers ['r] and senders ['s] wait. *)

val create : int -> ('a, 'r, 's) t
(** [create capacity] is empty. [capacity] is not negative. *)

val has_slots : ('a, 'r, 's) t -> bool
(** [has_slots e] is [false] iff the capacity is 0. *)

val length : ('a, 'r, 's) t -> int
(** [length e] is how many slots are taken: by messages, and by senders that were given one and have
    not filled it yet. Never waits. *)

val is_closed : ('a, 'r, 's) t -> bool
(** [is_closed e] is [true] iff [e] is closed. Never waits. *)

(** {1 Sending} *)

val offer : ('a, 'r, 's) t -> 'a -> 'r sent
(** [offer e v] sends [v], if that needs no wait. *)

val queue_sender : ('a, 'r, 's) t -> 's Line.place -> bool
(** [queue_sender e s] puts [s] in line; [false], and nothing else, if a sender need not wait now.
*)

val first_sender : ('a, 'r, 's) t -> 's Line.place option
(** [first_sender e] is the sender that came first. *)

val remove_sender : ('a, 'r, 's) t -> with_slot:bool -> 's Line.place -> unit
(** [remove_sender e ~with_slot s] takes [s] out of the line, if it is still there, and with it a
    slot that was owed. *)

(** {2 Slots} *)

val creditor : ('a, 'r, 's) t -> 's Line.place option
(** [creditor e] is the sender to whom a slot is owed, if one is. The caller gives it to that one,
    or finds it gone, and removes it; and looks again. *)

val fill : ('a, 'r, 's) t -> 'a -> slot -> 'r sent
(** [fill e v slot] sends [v] with [slot]; never [Full]. If it was not [Stored] the caller has the
    slot still. *)

val vacate : ('a, 'r, 's) t -> slot -> unit
(** [vacate e slot] gives [slot] up: it is free, or owed to a {!creditor}. *)

val forget : ('a, 'r, 's) t -> unit
(** [forget e] has {!val-lack} not name again who was given a slot: to be called once it is claimed.
*)

(** {1 Receiving} *)

val take : ('a, 'r, 's) t -> 'a option
(** [take e] receives the oldest message, if there is one that nobody sends now and whose slot
    nobody waits for. *)

val lack : ('a, 'r, 's) t -> 's lack
(** [lack e] is what there was to receive when [take] found nothing, or since. *)

val draw : ('a, 'r, 's) t -> 'a message -> unit
(** [draw e hand] receives the oldest message, if there is one, into [hand], which was empty. The
    slot may be owed then to a {!creditor}. *)

val queue_receiver : ('a, 'r, 's) t -> 'r Line.place -> bool
(** [queue_receiver e r] puts [r] in line; [false], and nothing else, if a receiver need not wait
    now. *)

val first_receiver : ('a, 'r, 's) t -> 'r Line.place option
(** [first_receiver e] is the receiver that came first. *)

val remove_receiver : ('a, 'r, 's) t -> 'r Line.place -> unit
(** [remove_receiver e r] takes [r] out of the line, if it is still there. *)

(** {2 Giving back} *)

val give_back : ('a, 'r, 's) t -> 'a -> 'a message -> 'r sent
(** [give_back e v hand] puts [v], which is in [hand] and was received, before all other messages,
    with or without a free slot, whether or not [e] is closed; or is [For] one that waits. *)

val receiver_after_all : ('a, 'r, 's) t -> 'r Line.place option
(** [receiver_after_all e], to be called when something was given back, is a receiver that waits all
    the same, and that would not be noticed. *)

(** {1 Closing} *)

val close : ('a, 'r, 's) t -> unit
(** [close e] closes [e]: nobody gets in line from now on. Messages in slots stay, and so do those
    who wait. Idempotent. *)
