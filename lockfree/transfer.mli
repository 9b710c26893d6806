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
  | Early of 's Line.place
      (** who was given a slot, and perhaps has not filled it: its message may be taken *)
  | Draw  (** there is a message, and perhaps somebody waits for its slot *)
  | Empty
  | Over  (** and the exchange is closed *)

type 'a message = { mutable message : 'a option }
(** The type for the message that a call has, and must not lose. *)

type slot = { mutable is_held : bool }
(** The type for whether a call has the slot that it was given. *)

type right
(** The type for rights to a slot that a sender is given. One is used once: by the sender, which
    fills the slot, or by a receiver that takes its message before, and frees the slot. *)

val right : unit -> right
(** [right ()] is one that nobody has used. *)

(** {1 Steps}

    Whatever moves a message or a slot notes it in the same step. *)

val step_with_message : 'x Atomic.t -> 'x -> 'x -> 'a message -> 'a option -> bool
(** [step_with_message place before after hand message] is a compare-and-set, after which [hand] has
    [message]. *)

val step_with_slot : 'x Atomic.t -> 'x -> 'x -> slot -> bool
(** [step_with_slot place before after slot] is the same, after which [slot] is not held. *)

val claim_slot : right -> slot -> unit
(** [claim_slot right slot] is the sender's step, after which [slot] is held; nothing if [right] is
    used. *)

val claim_message : right -> slot -> 'a message -> 'a option -> unit
(** [claim_message right slot hand message] is a receiver's, after which [slot] is held and [hand]
    has [message]; nothing if [right] is used. *)
