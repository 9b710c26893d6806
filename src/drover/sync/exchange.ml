(* Exchange.

   All of a channel is one immutable value behind one atomic: the messages, in two lists, how many
   more there is room for, and who waits, receivers or senders, but never both. A rendezvous has room
   for none.

     Nobody --a receiver finds no message--> Receivers     (then there is no message)
     Nobody --a sender finds no room-------> Senders       (then there is no room)
     either --the last leaves or is served-> Nobody
     any    --close------------------------> Closed

   To send:
   1. The sender stores its message, if nobody waits and there is room. That is one step.
   2. Else it takes the first receiver out of the line, with one step, and gives it the message, with
      one step at its seat, and wakes it. If the seat is gone, since that receiver was cancelled or a
      select chose another case, it starts again.
   3. Else it gets in line, with its message, and waits until a receiver has taken that over.

   To receive:
   1. The receiver takes the oldest message, if no sender waits. That is one step.
   2. Else it takes the first sender out of the line, and claims its seat. From then on the receiver has
      the message. It puts it behind the others, takes the oldest of them in the same step
      (so there is still no room), and wakes the sender: that has sent, and need not come back for it.
      If there are no others, as at a rendezvous, it keeps the message.
   3. Else it gets in line.

   Steps 2 and 3 are in a section: between being taken out of a line and being woken nobody is lost.

   Senders put messages in front of [back], receivers take them from [front]. A receiver that finds
   [front] empty moves [back] there in one short step, and then reverses it, once for all: were that
   in the step, a sender that goes on would overtake it again and again. Probe: chan. *)

exception Closed

(* A receiver, or a sender with its [message]. When a message has passed, [seat] is given what [served]
   makes of it. *)
type 'a party =
  | Party : {
      seat : 'c Seat.t;
      served : 'a -> 'c;
      message : 'a option;
      mutable ticket : int; (* in the line *)
    }
      -> 'a party

type 'a line = Nobody | Receivers of 'a party Line.t | Senders of 'a party Line.t | Closed

(* The oldest message first. The first receiver that needs what is Backwards reverses it, and writes
   [oldest_first], which was Empty; if two do so at the same time, they write the same. *)
type 'a front =
  | Empty
  | Message of 'a * 'a front
  | Backwards of { newest_first : 'a list; mutable oldest_first : 'a front }

type 'a state = {
  front : 'a front;
  back : 'a list; (* the newest first *)
  room : int;
  line : 'a line;
}

type 'a t = {
  id : int; (* the order in which a select goes through its cases *)
  mutable offset : int; (* see [Chan.rotate] *)
  capacity : int;
  state : 'a state Atomic.t;
  closed : unit Ivar.t; (* once it is Closed, for those who wait for no message *)
}

let ids = Atomic.make 0

let create capacity =
  let state = { front = Empty; back = []; room = capacity; line = Nobody } in
  {
    id = Atomic.fetch_and_add ids 1;
    offset = 0;
    capacity;
    state = Atomic.make_contended state;
    closed = Ivar.create ();
  }

let rendezvous () = create 0

let bounded capacity =
  if capacity < 1 then invalid_arg "Drover.Chan.bounded: capacity < 1";
  create capacity

let unbounded () = create max_int
let length c = c.capacity - (Atomic.get c.state).room
let is_closed c = (Atomic.get c.state).line == Closed
let[@inline] step c before after = Atomic.compare_and_set c.state before after

(* Messages *)

(* What is at the front, if [back] need not be moved there first. *)
let rec oldest front back =
  match (front, back) with
  | Message _, _ -> front
  | Backwards b, _ ->
      let rec reverse rest = function
        | [] -> rest
        | v :: older -> reverse (Message (v, rest)) older
      in
      if b.oldest_first == Empty then b.oldest_first <- reverse Empty b.newest_first;
      oldest b.oldest_first back
  | Empty, [ v ] -> Message (v, Empty)
  | Empty, _ -> Empty

let move_back c s =
  step c s { s with front = Backwards { newest_first = s.back; oldest_first = Empty }; back = [] }

(* Lines *)

let with_line s line =
  match s.line with
  | _ when Line.length line = 0 -> { s with line = Nobody }
  | Senders _ -> { s with line = Senders line }
  | Nobody | Receivers _ | Closed -> { s with line = Receivers line }

let rec queue c (Party p as party) =
  let s = Atomic.get c.state in
  let join line =
    p.ticket <- Line.ticket line;
    let line = Line.join line party in
    let line = if Option.is_none p.message then Receivers line else Senders line in
    step c s { s with line } || queue c party
  in
  match (s.line, p.message) with
  | Receivers line, None | Senders line, Some _ -> join line
  | Nobody, None when s.front == Empty && s.back == [] -> join Line.empty
  | Nobody, Some _ when s.room = 0 -> join Line.empty
  | (Nobody | Receivers _ | Senders _ | Closed), _ -> false

let rec remove c (Party p as party) =
  let s = Atomic.get c.state in
  match s.line with
  | Receivers line | Senders line ->
      let rest = Line.without line p.ticket party in
      if not (rest == line || step c s (with_line s rest)) then remove c party
  | Nobody | Closed -> ()

let wait aim c seat served message =
  let party = Party { seat; served; message; ticket = 0 } in
  Seat.wait aim seat ~join:(fun () -> queue c party) ~remove:(fun () -> remove c party)

(* Sending *)

(* Step 1. *)
let[@inline] store c v =
  let s = Atomic.get c.state in
  s.line == Nobody && s.room > 0 && step c s { s with back = v :: s.back; room = s.room - 1 }

(* In a section; [false] if there is neither room nor a receiver. *)
let rec offer c v n =
  let s = Atomic.get c.state in
  match s.line with
  | Closed -> raise Closed
  | Senders _ -> false
  | Nobody -> s.room > 0 && (store c v || offer c v (Shared.back_off n))
  | Receivers line ->
      let (Party { seat; served; _ }) = Line.first line in
      if not (step c s (with_line s (Line.others line))) then offer c v (Shared.back_off n)
      else if Seat.claim seat (served v) then begin
        Seat.wake seat;
        true
      end
      else offer c v n

let rec send_waiting c v =
  if not (offer c v 1) then
    match wait "sends to a channel" c (Seat.create ()) ignore (Some v) with
    | Given () -> ()
    | Open | Gone -> send_waiting c v

let send c v =
  Point.pass ();
  if not (store c v) then Section.run (send_waiting c) v

let try_send c v = store c v || Section.run (offer c v) 1

(* Receiving *)

(* [v], which was sent by a sender that waited, goes behind the others; the result is the oldest. *)
let rec exchange c v =
  let s = Atomic.get c.state in
  match oldest s.front s.back with
  | Message (oldest, front) ->
      let back = if s.front == Empty then [ v ] else v :: s.back in
      if step c s { s with front; back } then oldest else exchange c v
  | Empty | Backwards _ ->
      if s.back == [] then v
      else begin
        ignore (move_back c s : bool);
        exchange c v
      end

(* In a section; [None] if there is neither a message nor a sender. *)
let rec take c n =
  let s = Atomic.get c.state in
  match s.line with
  | Senders line ->
      let (Party { seat; served; message; _ }) = Line.first line in
      let v = Option.get message in
      if not (step c s (with_line s (Line.others line))) then take c (Shared.back_off n)
      else if Seat.claim seat (served v) then begin
        let oldest = exchange c v in
        Seat.wake seat;
        Some oldest
      end
      else take c n
  | Nobody | Receivers _ | Closed -> (
      match oldest s.front s.back with
      | Message (v, front) ->
          let back = if s.front == Empty then [] else s.back in
          if step c s { s with front; back; room = s.room + 1 } then Some v
          else take c (Shared.back_off n)
      | Empty | Backwards _ ->
          if s.back == [] then if s.line == Closed then raise Closed else None
          else take c (if move_back c s then n else Shared.back_off n))

let rec recv_waiting c () =
  match take c 1 with
  | Some v -> v
  | None -> (
      match wait "receives from a channel" c (Seat.create ()) Fun.id None with
      | Given v -> v
      | Open | Gone -> recv_waiting c ())

(* Step 1, of the usual cases. *)
let recv c =
  Point.pass ();
  let s = Atomic.get c.state in
  match s with
  | { front = Message (v, front); line = Nobody; _ }
    when step c s { s with front; room = s.room + 1 } ->
      v
  | { front = Empty; back = [ v ]; line = Nobody; _ }
    when step c s { s with back = []; room = s.room + 1 } ->
      v
  | _ -> Section.run (recv_waiting c) ()

let try_recv c = Section.run (take c) 1

let rec iter f c =
  match recv c with
  | exception Closed -> ()
  | v ->
      f v;
      iter f c

(* Closing *)

let rec dismiss_all c line =
  let s = Atomic.get c.state in
  if not (step c s { s with line }) then dismiss_all c line
  else
    match s.line with
    | Receivers line | Senders line ->
        List.iter (fun (Party { seat; _ }) -> Seat.dismiss seat) (Line.to_list line)
    | Nobody | Closed -> ()

let close c =
  let close () =
    dismiss_all c Closed;
    ignore (Ivar.fill c.closed () : bool)
  in
  Section.run close ()

let wait_closed c =
  Point.pass ();
  if not (Ivar.is_full c.closed) then
    Section.run (Wait.until_full "waits for a channel to be closed") c.closed
