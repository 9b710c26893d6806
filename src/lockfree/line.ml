(* Line: a map from tickets, which count up. Its users keep it behind an atomic, where a step must
   be short, or it would be overtaken again and again: a queue made of two lists, which has to
   reverse one of them now and then, would not do. *)

module Tickets = Map.Make (Int)

type 'w t = { ticket : int; (* the next *) length : int; waiting : 'w Tickets.t }

let empty = { ticket = 0; length = 0; waiting = Tickets.empty }
let is_empty l = l.length = 0
let length l = l.length

let join { ticket; length; waiting } w =
  (ticket, { ticket = ticket + 1; length = length + 1; waiting = Tickets.add ticket w waiting })

let remove l ticket = { l with length = l.length - 1; waiting = Tickets.remove ticket l.waiting }

(* A line that was empty in between may have started anew, and the ticket be another's. *)
let leave l ticket w =
  match Tickets.find_opt ticket l.waiting with
  | Some w' when w' == w -> remove l ticket
  | Some _ | None -> l

let next l =
  Option.map (fun (ticket, w) -> (w, remove l ticket)) (Tickets.min_binding_opt l.waiting)

let to_list l = List.map snd (Tickets.bindings l.waiting)
