(** Channels without select. What has no documentation here is documented at {!Chan}. *)

exception Closed

(** The type for those who wait for a message: [accept] makes of it what [seat] is given. *)
type 'a receiver =
  | Receiver : { seat : 'c Seat.t; accept : 'a -> 'c; mutable ticket : int } -> 'a receiver

(** The type for those who wait with a [message]: [seat] is given [accepted] when that was sent. *)
type 'a sender =
  | Sender : { seat : 'c Seat.t; accepted : 'c; message : 'a; mutable ticket : int } -> 'a sender

type 'a state

type 'a t = {
  id : int;  (** the order in which a select goes through its cases *)
  mutable turn : int;  (** see [Chan.rotate] *)
  capacity : int;
  state : 'a state Atomic.t;
}

val rendezvous : unit -> 'a t
val bounded : int -> 'a t
val unbounded : unit -> 'a t
val send : 'a t -> 'a -> unit
val try_send : 'a t -> 'a -> bool
val recv : 'a t -> 'a
val try_recv : 'a t -> 'a option
val iter : ('a -> unit) -> 'a t -> unit
val close : 'a t -> unit
val is_closed : 'a t -> bool
val length : 'a t -> int

(** {1 For select}

    In a section; nothing waits. *)

val offer : 'a t -> 'a -> int -> bool
(** [offer c v 1] sends [v], if that is possible now. Raises [Closed]. *)

val take : 'a t -> int -> 'a option
(** [take c 1] receives a message, if that is possible now. Raises [Closed]. *)

val queue_receiver : 'a t -> 'a receiver -> bool
(** [queue_receiver c r] puts [r] in line; [false], and nothing else, if a receiver need not wait
    now. *)

val queue_sender : 'a t -> 'a sender -> bool
(** [queue_sender c s] is the same for a sender. *)

val remove_receiver : 'a t -> 'a receiver -> unit
(** [remove_receiver c r] takes [r] out of the line, if it is still there. *)

val remove_sender : 'a t -> 'a sender -> unit
(** [remove_sender c s] is the same for a sender. *)
