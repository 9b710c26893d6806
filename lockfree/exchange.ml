(* Exchange: a pipe, or a rendezvous. *)

include Transfer

type ('a, 'r, 's) t = Pipe of ('a, 'r, 's) Pipe.t | Rendezvous of ('a, 'r, 's) Rendezvous.t

let create = function 0 -> Rendezvous (Rendezvous.create ()) | n -> Pipe (Pipe.create n)
let has_slots = function Pipe _ -> true | Rendezvous _ -> false
let length = function Pipe p -> Pipe.length p | Rendezvous _ -> 0
let is_closed = function Pipe p -> Pipe.is_closed p | Rendezvous e -> Rendezvous.is_closed e
let offer e v = match e with Pipe p -> Pipe.offer p v | Rendezvous e -> Rendezvous.offer e
let no_slots () = assert false (* nobody is given one at a rendezvous *)
let fill e v slot = match e with Pipe p -> Pipe.fill p v slot | Rendezvous _ -> no_slots ()
let vacate e slot = match e with Pipe p -> Pipe.vacate p slot | Rendezvous _ -> no_slots ()
let forget = function Pipe p -> Pipe.forget p | Rendezvous _ -> ()
let creditor = function Pipe p -> Pipe.creditor p | Rendezvous _ -> None

let queue_sender e s =
  match e with Pipe p -> Pipe.queue_sender p s | Rendezvous e -> Rendezvous.queue_sender e s

let remove_sender e ~with_slot s =
  match e with
  | Pipe p -> Pipe.remove_sender p ~with_slot s
  | Rendezvous e -> Rendezvous.remove_sender e s

let first_sender = function
  | Pipe p -> Pipe.first_sender p
  | Rendezvous e -> Rendezvous.first_sender e

let take = function Pipe p -> Pipe.take p | Rendezvous e -> Rendezvous.take e
let lack = function Pipe p -> Pipe.lack p | Rendezvous e -> Rendezvous.lack e
let draw e hand = match e with Pipe p -> Pipe.draw p hand | Rendezvous e -> Rendezvous.draw e hand

let give_back e v hand =
  match e with Pipe p -> Pipe.give_back p v hand | Rendezvous e -> Rendezvous.give_back e v hand

let receiver_after_all = function Pipe p -> Pipe.receiver_after_all p | Rendezvous _ -> None

let queue_receiver e r =
  match e with Pipe p -> Pipe.queue_receiver p r | Rendezvous e -> Rendezvous.queue_receiver e r

let remove_receiver e r =
  match e with Pipe p -> Pipe.remove_receiver p r | Rendezvous e -> Rendezvous.remove_receiver e r

let first_receiver = function
  | Pipe p -> Pipe.first_receiver p
  | Rendezvous e -> Rendezvous.first_receiver e

let close = function Pipe p -> Pipe.close p | Rendezvous e -> Rendezvous.close e
