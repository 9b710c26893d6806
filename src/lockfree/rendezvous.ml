(* Rendezvous: an exchange without slots. Either receivers wait or senders, so both are in one
   immutable value behind an atomic. *)

type ('r, 's) state = { receivers : 'r Line.t; senders : 's Line.t; closed : bool }
type ('r, 's) t = ('r, 's) state Atomic.t

let create () =
  Atomic.make_contended { receivers = Line.empty; senders = Line.empty; closed = false }

let is_closed e = (Atomic.get e).closed

(* Every step publishes who joins, to whoever reads the state next. *)

let rec offer e =
  let s = Atomic.get e in
  if s.closed then Transfer.Refused
  else
    match Line.next s.receivers with
    | None -> Full
    | Some (r, receivers) ->
        if Atomic.compare_and_set e s { s with receivers } then For r else offer e

let rec take e =
  let s = Atomic.get e in
  match Line.next s.senders with
  | None -> if s.closed then Transfer.Over else Empty
  | Some (sender, senders) ->
      if Atomic.compare_and_set e s { s with senders } then From sender else take e

let rec queue_sender e sender =
  let s = Atomic.get e in
  if s.closed || not (Line.is_empty s.receivers) then None
  else
    let ticket, senders = Line.join s.senders sender in
    if Atomic.compare_and_set e s { s with senders } then Some ticket else queue_sender e sender

let rec queue_receiver e receiver =
  let s = Atomic.get e in
  if s.closed || not (Line.is_empty s.senders) then None
  else
    let ticket, receivers = Line.join s.receivers receiver in
    if Atomic.compare_and_set e s { s with receivers } then Some ticket
    else queue_receiver e receiver

let rec remove_sender e ticket sender =
  let s = Atomic.get e in
  let senders = Line.leave s.senders ticket sender in
  if not (senders == s.senders || Atomic.compare_and_set e s { s with senders }) then
    remove_sender e ticket sender

let rec remove_receiver e ticket receiver =
  let s = Atomic.get e in
  let receivers = Line.leave s.receivers ticket receiver in
  if not (receivers == s.receivers || Atomic.compare_and_set e s { s with receivers }) then
    remove_receiver e ticket receiver

let close e =
  let closed = { receivers = Line.empty; senders = Line.empty; closed = true } in
  let s = Atomic.exchange e closed in
  (Line.to_list s.receivers, Line.to_list s.senders)
