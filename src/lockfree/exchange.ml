(* Exchange: a pipe, or a rendezvous. *)

include Transfer

type ('a, 'r, 's) t = Pipe of ('a, 'r, 's) Pipe.t | Rendezvous of ('r, 's) Rendezvous.t

let create = function 0 -> Rendezvous (Rendezvous.create ()) | n -> Pipe (Pipe.create n)
let has_slots = function Pipe _ -> true | Rendezvous _ -> false
let length = function Pipe p -> Pipe.length p | Rendezvous _ -> 0
let is_closed = function Pipe p -> Pipe.is_closed p | Rendezvous e -> Rendezvous.is_closed e
let offer e v = match e with Pipe p -> Pipe.offer p v | Rendezvous e -> Rendezvous.offer e
let no_slots () = assert false (* nobody is given one at a rendezvous *)
let fill e v = match e with Pipe p -> Pipe.fill p v | Rendezvous _ -> no_slots ()
let vacate = function Pipe p -> Pipe.vacate p | Rendezvous _ -> no_slots ()

let queue_sender e s =
  match e with Pipe p -> Pipe.queue_sender p s | Rendezvous e -> Rendezvous.queue_sender e s

let remove_sender e ticket s =
  match e with
  | Pipe p -> Pipe.remove_sender p ticket s
  | Rendezvous e -> Rendezvous.remove_sender e ticket s

let take = function Pipe p -> Pipe.take p | Rendezvous e -> Rendezvous.take e

let queue_receiver e r =
  match e with Pipe p -> Pipe.queue_receiver p r | Rendezvous e -> Rendezvous.queue_receiver e r

let remove_receiver e ticket r =
  match e with
  | Pipe p -> Pipe.remove_receiver p ticket r
  | Rendezvous e -> Rendezvous.remove_receiver e ticket r

let close = function Pipe p -> Pipe.close p | Rendezvous e -> Rendezvous.close e
