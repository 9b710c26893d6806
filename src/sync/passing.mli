(** Channels without select: tasks and threads that wait at an exchange. What has no documentation
    here is documented at {!Chan}. *)

exception Closed

(** The type for those who wait for a message: [accept] makes a gift for [seat] of it. *)
type 'a receiver =
  | Receiver : { seat : 'c Seat.t; accept : 'a Exchange.message -> 'c } -> 'a receiver

(** The type for those who wait with a [message]: [served] is the gift of a slot for it, and [right]
    is to that slot. *)
type 'a sender =
  | Sender : {
      seat : 'c Seat.t;
      served : 'c Seat.state;
      message : 'a;
      right : Exchange.right;
    }
      -> 'a sender

type 'a t = {
  id : int;  (** the order in which a select goes through its cases *)
  mutable turn : int;  (** see [Select.rotate] *)
  exchange : ('a, 'a receiver, 'a sender) Exchange.t;
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

(** {1 Second halves}

    These do not wait, and may be called again (see [Critical.finish]). *)

val settle_receiver : 'a t -> 'a receiver Line.place -> unit
(** [settle_receiver c place] follows a gift to that receiver, or its giving up: it wakes it, and
    takes it out of the line. *)

val settle_sender : 'a t -> 'a sender Line.place -> unit
(** [settle_sender c place] is the same for a sender. *)

val give_back : 'a t -> 'a Exchange.message -> unit -> unit
(** [give_back c hand ()] gives back the message in [hand], if it is there still. *)

val give_slot_back : 'a t -> Exchange.right -> Exchange.slot -> unit -> unit
(** [give_slot_back c right slot ()] gives back the [slot] that a sender was given, unless that has
    been filled, or a receiver has used the [right] to it. *)

(** {1 First halves} *)

val send_with : 'a t -> 'a -> Exchange.right -> Exchange.slot -> unit
(** [send_with c v right slot] sends [v] with the [slot] that was given; nothing if [v] was taken
    already. Raises [Closed]. *)
