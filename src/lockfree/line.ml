(* Line: a map from tickets, which count up. Its users keep it behind an atomic, where a step must be
   short, or it would be overtaken again and again: a queue made of two lists, which has to reverse one
   of them now and then, would not do. *)

module Tickets = Map.Make (Int)

type 'w t = { ticket : int; length : int; waiting : 'w Tickets.t }

let empty = { ticket = 0; length = 0; waiting = Tickets.empty }
let length l = l.length
let ticket l = l.ticket

let join l who =
  { ticket = l.ticket + 1; length = l.length + 1; waiting = Tickets.add l.ticket who l.waiting }

let remove l ticket =
  if l.length = 1 then empty
  else { l with length = l.length - 1; waiting = Tickets.remove ticket l.waiting }

(* A line that becomes empty starts anew, so a ticket may be another's by now. *)
let without l ticket who =
  match Tickets.find_opt ticket l.waiting with
  | Some found when found == who -> remove l ticket
  | Some _ | None -> l

let first l = snd (Tickets.min_binding l.waiting)
let others l = remove l (fst (Tickets.min_binding l.waiting))
let to_list l = List.map snd (Tickets.bindings l.waiting)
