(** Channels: messages from tasks and threads to others.

    A channel passes each message to one receiver, and the messages of one sender in the order in
    which they were sent. Tasks, of any pools, and threads outside any task may meet at one channel;
    whoever has to wait suspends or blocks. Senders and receivers that wait are served in order of
    arrival. A receive that raises has received nothing: what it was given is given back. A send
    that raises has sent nothing, unless a signal's handler raises out of it when it has just sent.
*)

type !'a t
(** The type for channels of messages of type ['a]. *)

exception Closed
(** Raised where a closed channel has nothing to offer. *)

val rendezvous : unit -> 'a t
(** [rendezvous ()] is a channel without a buffer: a sender waits until its message is received. *)

val bounded : int -> 'a t
(** [bounded n] is a channel that holds up to [n] messages that were not received yet: a sender
    waits while it is full. Raises [Invalid_argument] if [n < 1]. *)

val unbounded : unit -> 'a t
(** [unbounded ()] is a channel that holds any number of messages: no sender waits. *)

val send : 'a t -> 'a -> unit
(** [send c v] sends [v]. Suspends or blocks while [c] is full; at a rendezvous, until [v] is
    received. Raises {!Closed} if [c] is closed, or is closed before [v] has a place. Amortised O(1)
    steps, and O(log n) with [n] others that wait; this holds for all of the following. *)

val try_send : 'a t -> 'a -> bool
(** [try_send c v] is [true] and like [send c v] if that need not wait, and [false] otherwise. Never
    waits. Raises {!Closed} if [c] is closed. *)

val recv : 'a t -> 'a
(** [recv c] is the oldest message of [c]. Suspends or blocks until there is one. Raises {!Closed}
    if [c] is closed and has no messages left. *)

val try_recv : 'a t -> 'a option
(** [try_recv c] is the oldest message of [c], if there is one. Never waits. Raises {!Closed} if [c]
    is closed and has no messages left. *)

val iter : ('a -> unit) -> 'a t -> unit
(** [iter f c] calls [f] on each message that it receives, one after the other, and returns when [c]
    is closed and has no messages left. Several may iterate on one channel: then each message goes
    to one of them. Suspends or blocks. *)

val close : 'a t -> unit
(** [close c] closes [c]: nothing can be sent any more, and what was sent can still be received.
    Those that wait to send, or to receive, raise {!Closed}. Closing again does nothing. Never
    waits. *)

val is_closed : 'a t -> bool
(** [is_closed c] is [true] iff [c] is closed. Never waits. *)

val length : 'a t -> int
(** [length c] is how many places of [c]'s buffer were taken at some moment of the call: by
    messages, and by senders that are just being woken to use them. Never waits. *)

(** {1 Several channels} *)

type 'r case
(** The type for one of several things to do, with a result of type ['r]. *)

val receiving : 'a t -> ('a -> 'r) -> 'r case
(** [receiving c f] is the case that receives a message [v] from [c]; its result is [f v]. *)

val sending : 'a t -> 'a -> (unit -> 'r) -> 'r case
(** [sending c v f] is the case that sends [v] to [c]; its result is [f ()]. *)

val select : 'r case list -> 'r
(** [select cases] does exactly one of [cases], the first that can be done, and is its result.
    Suspends or blocks until then. If several can be done at once, the choice takes turns among
    them. Cases of closed channels are passed over; raises {!Closed} if there is no other. Raises
    [Invalid_argument] if one channel occurs in cases of both kinds and all have to wait. With [n]
    cases: O(n log n) steps. *)
