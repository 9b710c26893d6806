(** Channels without select. What has no documentation here is documented at {!Chan}. *)

exception Closed

(** The type for who waits: a receiver, or a sender with its [message]. When a message has passed,
    [seat] is given what [served] makes of it. *)
type 'a party =
  | Party : {
      seat : 'c Seat.t;
      served : 'a -> 'c;
      message : 'a option;
      mutable ticket : int;  (** in the line *)
    }
      -> 'a party

type 'a line = Nobody | Receivers of 'a party Line.t | Senders of 'a party Line.t | Closed
type 'a state

type 'a t = {
  id : int;  (** the order in which a select goes through its cases *)
  mutable offset : int;  (** see [Chan.rotate] *)
  capacity : int;
  state : 'a state Atomic.t;
  closed : unit Ivar.t;  (** filled when it is closed *)
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
val wait_closed : 'a t -> unit
val length : 'a t -> int

(** {1 For select}

    In a section; nothing waits. *)

val offer : 'a t -> 'a -> int -> bool
(** [offer c v 1] sends [v], if that is possible now. Raises [Closed]. *)

val take : 'a t -> int -> 'a option
(** [take c 1] receives a message, if that is possible now. Raises [Closed]. *)

val queue : 'a t -> 'a party -> bool
(** [queue c p] puts [p] in line; [false], and nothing else, if it need not wait now. *)

val remove : 'a t -> 'a party -> unit
(** [remove c p] takes [p] out of the line, if it is still there. *)

val dismiss_all : 'a t -> 'a line -> unit
(** [dismiss_all c line] dismisses all who are in line, and leaves [line], which is Nobody or
    Closed. *)
