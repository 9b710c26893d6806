(* Exchange: the whole state of a channel in one immutable value behind an atomic, so that each step
   sees all of it. What changes rarely is apart, which leaves less to allocate for a message. Probe:
   chan. *)

type ('a, 'r, 's) state = {
  messages : 'a Fifo.t;
  used : int; (* slots: one for each message, and those that senders were given *)
  others : ('r, 's) others;
}

(* Receivers wait only if there are no messages; senders only if all slots are used. At a rendezvous
   not both wait. *)
and ('r, 's) others = { receivers : 'r Line.t; senders : 's Line.t; closed : bool }

type ('a, 'r, 's) t = { capacity : int; state : ('a, 'r, 's) state Atomic.t }
type 'r sent = Stored | For of 'r | Full | Refused
type ('a, 's) received = Message of 'a * 's option | From of 's | Empty | Over

let nobody = { receivers = Line.empty; senders = Line.empty; closed = false }

let create capacity =
  { capacity; state = Atomic.make_contended { messages = Fifo.empty; used = 0; others = nobody } }

let capacity e = e.capacity
let length e = (Atomic.get e.state).used
let is_closed e = (Atomic.get e.state).others.closed

(* Every step publishes what it adds, to whoever reads the state next. Who is overtaken pauses,
   longer each time, so that the other side makes several steps meanwhile. *)

let longest = 64

let pause n =
  for _ = 1 to n do
    Domain.cpu_relax ()
  done;
  Int.min (2 * n) longest

let step e before after = Atomic.compare_and_set e.state before after

let rec send e v ~has_slot n =
  let s = Atomic.get e.state in
  if s.others.closed then Refused
  else
    match Line.next s.others.receivers with
    | Some (r, receivers) ->
        if step e s { s with others = { s.others with receivers } } then For r
        else send e v ~has_slot (pause n)
    | None when has_slot || s.used < e.capacity ->
        let used = if has_slot then s.used else s.used + 1 in
        if step e s { s with messages = Fifo.push s.messages v; used } then Stored
        else send e v ~has_slot (pause n)
    | None -> Full

let offer e v = send e v ~has_slot:false 1
let fill e v = send e v ~has_slot:true 1

(* The state after a slot was left: it passes to a sender, if one waits. *)
let pass_slot s =
  match Line.next s.others.senders with
  | Some (sender, senders) -> (Some sender, { s with others = { s.others with senders } })
  | None -> (None, { s with used = s.used - 1 })

let rec vacate e =
  let s = Atomic.get e.state in
  let sender, after = pass_slot s in
  if step e s after then sender else vacate e

let rec receive e n =
  let s = Atomic.get e.state in
  match Fifo.pop s.messages with
  | Some (v, messages) ->
      let sender, after = pass_slot { s with messages } in
      if step e s after then Message (v, sender) else receive e (pause n)
  | None when e.capacity > 0 || Line.is_empty s.others.senders ->
      if s.others.closed then Over else Empty
  | None ->
      let sender, after = pass_slot s in
      if step e s after then From (Option.get sender) else receive e (pause n)

let take e = receive e 1

let rec queue_sender e sender =
  let s = Atomic.get e.state in
  if s.others.closed || s.used < e.capacity || not (Line.is_empty s.others.receivers) then None
  else
    let ticket, senders = Line.join s.others.senders sender in
    if step e s { s with others = { s.others with senders } } then Some ticket
    else queue_sender e sender

let rec queue_receiver e receiver =
  let s = Atomic.get e.state in
  let is_met = e.capacity = 0 && not (Line.is_empty s.others.senders) in
  if s.others.closed || is_met || not (Fifo.is_empty s.messages) then None
  else
    let ticket, receivers = Line.join s.others.receivers receiver in
    if step e s { s with others = { s.others with receivers } } then Some ticket
    else queue_receiver e receiver

let rec remove_sender e ticket sender =
  let s = Atomic.get e.state in
  let senders = Line.leave s.others.senders ticket sender in
  if not (senders == s.others.senders || step e s { s with others = { s.others with senders } })
  then remove_sender e ticket sender

let rec remove_receiver e ticket receiver =
  let s = Atomic.get e.state in
  let receivers = Line.leave s.others.receivers ticket receiver in
  if
    not (receivers == s.others.receivers || step e s { s with others = { s.others with receivers } })
  then remove_receiver e ticket receiver

let rec close e =
  let s = Atomic.get e.state in
  if step e s { s with others = { nobody with closed = true } } then
    (Line.to_list s.others.receivers, Line.to_list s.others.senders)
  else close e
