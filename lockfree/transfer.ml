(* Transfer: what comes of an attempt to send or to receive at an exchange. *)

(* What became of a message. *)
type 'r sent =
  | Stored (* it has a slot *)
  | For of 'r Line.place (* who is to have it, and is in line still *)
  | Full (* nothing has changed *)
  | Refused (* the exchange is closed *)

(* Why there was nothing to take. *)
type 's lack =
  | From of 's Line.place (* who has the message, and is in line still *)
  | Draw (* there is a message, and perhaps somebody waits for its slot *)
  | Empty
  | Over (* and the exchange is closed *)

(* A message that a call has and that must not be lost, and a slot. What moves one notes it here, in
   the same step. *)
type 'a message = { mutable message : 'a option }
type slot = { mutable is_held : bool }
