(* Rendezvous: an exchange without slots. Either receivers wait or senders, so both are in one
   immutable value behind an atomic. Messages that were given back are there too; then no receiver
   waits. *)

type ('a, 'r, 's) state = {
  given_back : 'a list;
  receivers : 'r Line.t;
  senders : 's Line.t;
  closed : bool;
}

type ('a, 'r, 's) t = ('a, 'r, 's) state Atomic.t

let create () =
  Atomic.make_contended
    { given_back = []; receivers = Line.empty; senders = Line.empty; closed = false }

let is_closed e = (Atomic.get e).closed

(* Every step publishes who joins, to whoever reads the state next. *)

let offer e =
  let s = Atomic.get e in
  if s.closed then Transfer.Refused
  else match Line.first s.receivers with None -> Full | Some r -> For r

let rec take e =
  let s = Atomic.get e in
  match s.given_back with
  | [] -> None
  | v :: given_back ->
      let message = Some v in
      if Atomic.compare_and_set e s { s with given_back } then message else take e

let rec draw e hand =
  let s = Atomic.get e in
  match s.given_back with
  | [] -> ()
  | v :: given_back ->
      if not (Transfer.step_with_message e s { s with given_back } hand (Some v)) then draw e hand

let lack e =
  let s = Atomic.get e in
  match Line.first s.senders with
  | _ when not (List.is_empty s.given_back) -> Transfer.Draw
  | Some sender -> From sender
  | None -> if s.closed then Over else Empty

let rec queue_sender e sender =
  let s = Atomic.get e in
  (not (s.closed || not (Line.is_empty s.receivers)))
  && (Atomic.compare_and_set e s { s with senders = Line.join s.senders sender }
     || queue_sender e sender)

let rec queue_receiver e receiver =
  let s = Atomic.get e in
  (not (s.closed || (not (List.is_empty s.given_back)) || not (Line.is_empty s.senders)))
  && (Atomic.compare_and_set e s { s with receivers = Line.join s.receivers receiver }
     || queue_receiver e receiver)

let rec remove_sender e sender =
  let s = Atomic.get e in
  let senders = Line.leave s.senders sender in
  if not (senders == s.senders || Atomic.compare_and_set e s { s with senders }) then
    remove_sender e sender

let rec remove_receiver e receiver =
  let s = Atomic.get e in
  let receivers = Line.leave s.receivers receiver in
  if not (receivers == s.receivers || Atomic.compare_and_set e s { s with receivers }) then
    remove_receiver e receiver

let rec give_back e v hand =
  let s = Atomic.get e in
  match Line.first s.receivers with
  | Some r -> Transfer.For r
  | None ->
      if Transfer.step_with_message e s { s with given_back = v :: s.given_back } hand None then
        Stored
      else give_back e v hand

let close e = Shared.change e (fun s -> { s with closed = true })
let first_receiver e = Line.first (Atomic.get e).receivers
let first_sender e = Line.first (Atomic.get e).senders
