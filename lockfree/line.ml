(* Line: often nobody or one, else a map from tickets, which count up. Its users keep it behind an
   atomic, where a step must be short, or it would be overtaken again and again: a queue made of two
   lists, which has to reverse one of them now and then, would not do. *)

module Tickets = Map.Make (Int)

type 'w t =
  | Nobody
  | Sole of { ticket : int; who : 'w }
  | Many of { next : int; length : int; waiting : 'w Tickets.t } (* perhaps only one is left *)

let empty = Nobody
let[@inline] is_empty l = l == Nobody
let length = function Nobody -> 0 | Sole _ -> 1 | Many { length; _ } -> length

let ticket = function
  | Nobody -> 0
  | Sole { ticket; _ } -> ticket + 1
  | Many { next; _ } -> next

let join l ticket who =
  match l with
  | Nobody -> Sole { ticket; who }
  | Sole first ->
      let waiting = Tickets.(add ticket who (singleton first.ticket first.who)) in
      Many { next = ticket + 1; length = 2; waiting }
  | Many { length; waiting; _ } ->
      Many { next = ticket + 1; length = length + 1; waiting = Tickets.add ticket who waiting }

let without l ticket =
  match l with
  | Many { next; length; waiting } when length > 1 ->
      Many { next; length = length - 1; waiting = Tickets.remove ticket waiting }
  | Many _ | Sole _ | Nobody -> Nobody

(* A line that was empty in between has started anew, and the ticket may be another's. *)
let leave l ticket who =
  match l with
  | Nobody -> l
  | Sole first -> if first.who == who then Nobody else l
  | Many { waiting; _ } -> (
      match Tickets.find_opt ticket waiting with
      | Some found when found == who -> without l ticket
      | Some _ | None -> l)

let next = function
  | Nobody -> None
  | Sole { who; _ } -> Some (who, Nobody)
  | Many { waiting; _ } as l ->
      let ticket, who = Tickets.min_binding waiting in
      Some (who, without l ticket)

let first = function
  | Nobody -> None
  | Sole { who; _ } -> Some who
  | Many { waiting; _ } -> Some (snd (Tickets.min_binding waiting))

let to_list = function
  | Nobody -> []
  | Sole { who; _ } -> [ who ]
  | Many { waiting; _ } -> List.map snd (Tickets.bindings waiting)
