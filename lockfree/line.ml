(* Line: often nobody or one, else a map from tickets, which count up. Its users keep it behind an
   atomic, where a step must be short, or it would be overtaken again and again: a queue made of two
   lists, which has to reverse one of them now and then, would not do. *)

module Tickets = Map.Make (Int)

type 'w place = { who : 'w; mutable ticket : int (* written before the step that joins *) }

type 'w t =
  | Nobody
  | Sole of 'w place
  | Many of { next : int; length : int; waiting : 'w place Tickets.t }
(* perhaps only one is left *)

let place who = { who; ticket = 0 }
let empty = Nobody
let[@inline] is_empty l = l == Nobody
let length = function Nobody -> 0 | Sole _ -> 1 | Many { length; _ } -> length

let join l (place : _ place) =
  match l with
  | Nobody -> Sole place
  | Sole first ->
      let next = first.ticket + 1 in
      place.ticket <- next;
      let waiting = Tickets.(add next place (singleton first.ticket first)) in
      Many { next = next + 1; length = 2; waiting }
  | Many { next; length; waiting } ->
      place.ticket <- next;
      Many { next = next + 1; length = length + 1; waiting = Tickets.add next place waiting }

let remove l ticket =
  match l with
  | Many { next; length; waiting } when length > 1 ->
      Many { next; length = length - 1; waiting = Tickets.remove ticket waiting }
  | Many _ | Sole _ | Nobody -> Nobody

(* A line that was empty in between may have started anew, and the ticket be another's. *)
let leave l (place : _ place) =
  match l with
  | Nobody -> l
  | Sole first -> if first == place then Nobody else l
  | Many { waiting; _ } -> (
      match Tickets.find_opt place.ticket waiting with
      | Some found when found == place -> remove l place.ticket
      | Some _ | None -> l)

let first = function
  | Nobody -> None
  | Sole place -> Some place
  | Many { waiting; _ } -> Some (snd (Tickets.min_binding waiting))

let next l = Option.map (fun (place : _ place) -> (place, remove l place.ticket)) (first l)

let to_list = function
  | Nobody -> []
  | Sole place -> [ place ]
  | Many { waiting; _ } -> List.map snd (Tickets.bindings waiting)
