(** What comes of an attempt to send or to receive at an {!Exchange}, and what a call has. *)

(** What became of a message. *)
type 'r sent =
  | Stored  (** it has a slot *)
  | For of 'r Line.place  (** nothing yet: who is to have it, and is in line still *)
  | Full  (** nothing has changed *)
  | Refused  (** the exchange is closed *)

(** Why there was nothing to take. *)
type 's lack =
  | From of 's Line.place  (** who has the message, and is in line still *)
  | Draw  (** there is a message, and perhaps somebody waits for its slot *)
  | Empty
  | Over  (** and the exchange is closed *)

type 'a message = { mutable message : 'a option }
(** The type for the message that a call has, and must not lose. *)

type slot = { mutable is_held : bool }
(** The type for whether a call has the slot that it was given. *)

(** {1 Steps}

    Whatever moves a message or a slot notes it in the same step. *)

val step_with_message : 'x Atomic.t -> 'x -> 'x -> 'a message -> 'a option -> bool
(** [step_with_message place before after hand message] is a compare-and-set, after which [hand] has
    [message]. *)

val step_with_slot : 'x Atomic.t -> 'x -> 'x -> slot -> bool
(** [step_with_slot place before after slot] is the same, after which [slot] is not held. *)
