(* Transfer: what comes of an attempt to send or to receive at an exchange. *)

(* What became of a message. *)
type 'r sent =
  | Stored (* it has a slot *)
  | For of 'r (* who is to have it, and is out of the line now *)
  | Full (* nothing has changed *)
  | Refused (* the exchange is closed *)

(* What was there to receive. *)
type ('a, 's) received =
  | Message of 'a * 's option (* and the sender, out of the line now, that the slot passes to *)
  | From of 's (* who has the message, and is out of the line now *)
  | Empty (* nothing *)
  | Over (* nothing, and the exchange is closed *)
