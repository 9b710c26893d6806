(* Channel: tasks and threads that wait at an exchange.

   A receiver that waits is given a message with its wake-up, a sender a slot, or at a rendezvous
   the news that its message was taken. Woken without, by [close], or by itself because it need not
   wait, it starts again. What a select is given counts as for one of its cases only: see
   [claim]. *)

exception Closed

(* Alone, or a case of a select: the number of the case that was chosen, [none] before. *)
type turn = Alone | Case of { chosen : int Atomic.t; number : int }
type 'a receiver = { receiver : Waiter.t; turn : turn; got : 'a option ref }
type 'a sender = { sender : Waiter.t; turn : turn; message : 'a; is_served : bool ref }

type 'a t = {
  id : int; (* the order in which a select goes through its cases *)
  mutable rotation : int; (* of the case that a select looks at first; a race does no harm *)
  exchange : ('a, 'a receiver, 'a sender) Exchange.t;
}

let none = -1
let ids = Atomic.make 0

let create capacity =
  { id = Atomic.fetch_and_add ids 1; rotation = 0; exchange = Exchange.create capacity }

let rendezvous () = create 0

let bounded capacity =
  if capacity < 1 then invalid_arg "Drover.Chan.bounded: capacity < 1";
  create capacity

let unbounded () = create max_int
let length c = Exchange.length c.exchange
let is_closed c = Exchange.is_closed c.exchange

(* What is taken out of a line is taken by one; a select is in several lines. *)
let claim = function
  | Alone -> true
  | Case { chosen; number } -> Atomic.compare_and_set chosen none number

(* Each is [false] if nobody is there any more. What is written before the wake-up is read after
   it. *)

let give (r : _ receiver) v =
  claim r.turn
  && begin
    r.got := Some v;
    Waiter.wake r.receiver
  end

let serve s =
  claim s.turn
  && begin
    s.is_served := true;
    Waiter.wake s.sender
  end

let rec pass_slot c = function
  | None -> ()
  | Some sender -> if not (serve sender) then pass_slot c (Exchange.vacate c.exchange)

(* Sends without a wait, if that is possible now. *)
let rec try_send c v =
  match Exchange.offer c.exchange v with
  | Stored -> true
  | For receiver -> give receiver v || try_send c v
  | Full -> false
  | Refused -> raise Closed

(* Sends with the slot that was passed on. *)
let rec fill c v =
  match Exchange.fill c.exchange v with
  | Stored -> ()
  | For receiver when give receiver v -> pass_slot c (Exchange.vacate c.exchange)
  | For _ -> fill c v
  | Full -> assert false (* there is the slot *)
  | Refused ->
      pass_slot c (Exchange.vacate c.exchange);
      raise Closed

(* A rendezvous has no slots: the message was taken. *)
let finish_send c v = if Exchange.has_slots c.exchange then fill c v

(* Receives without a wait, if that is possible now. *)
let rec try_recv c =
  match Exchange.take c.exchange with
  | Message (v, sender) ->
      pass_slot c sender;
      Some v
  | From sender -> if serve sender then Some sender.message else try_recv c
  | Empty -> None
  | Over -> raise Closed

(* Each gives how to leave the line, or nothing if a wait is not needed any more. *)

let queue_sender c s =
  let queued ticket () = Exchange.remove_sender c.exchange ticket s in
  Option.map queued (Exchange.queue_sender c.exchange s)

let queue_receiver c r =
  let queued ticket () = Exchange.remove_receiver c.exchange ticket r in
  Option.map queued (Exchange.queue_receiver c.exchange r)

let wait queue =
  let register waiter =
    match queue waiter with
    | Some leave -> leave
    | None ->
        ignore (Waiter.wake waiter : bool);
        ignore
  in
  Waiting.until register

let rec send c v =
  if not (try_send c v) then begin
    let is_served = ref false in
    wait (fun sender -> queue_sender c { sender; turn = Alone; message = v; is_served });
    if !is_served then finish_send c v else send c v
  end

let rec recv c =
  match try_recv c with
  | Some v -> v
  | None -> (
      let got = ref None in
      wait (fun receiver -> queue_receiver c { receiver; turn = Alone; got });
      match !got with Some v -> v | None -> recv c)

let rec iter f c =
  match recv c with
  | exception Closed -> ()
  | v ->
      f v;
      iter f c

let close c =
  let receivers, senders = Exchange.close c.exchange in
  let wake turn waiter = if claim turn then ignore (Waiter.wake waiter : bool) in
  List.iter (fun (r : _ receiver) -> wake r.turn r.receiver) receivers;
  List.iter (fun s -> wake s.turn s.sender) senders
