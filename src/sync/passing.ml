(* Passing.

   Each has a seat. A receiver that waits is given a message, a sender a slot, or at a rendezvous
   the news that its message was taken. One whose seat is gone when it wakes, as by [close], or
   that need not wait, starts again. A select has one seat for all its cases: see [Select].

   A sender fills the slot that it was given when it comes to run. A receiver that finds nothing else
   takes the message before that: so it need not wait itself, for a task that is about to run. Probe:
   chan, bounded to 1.

   A gift is one step. What comes after it, to wake who got it and to take that one out of the
   line, is idempotent, and so is the giving back. *)

exception Closed

type 'a receiver =
  | Receiver : { seat : 'c Seat.t; accept : 'a Exchange.message -> 'c } -> 'a receiver

type 'a sender =
  | Sender : {
      seat : 'c Seat.t;
      served : 'c Seat.state;
      message : 'a;
      right : Exchange.right;
    }
      -> 'a sender

type 'a t = {
  id : int; (* the order in which a select goes through its cases *)
  mutable turn : int; (* see [Select.rotate] *)
  exchange : ('a, 'a receiver, 'a sender) Exchange.t;
}

let ids = Atomic.make 0

let create capacity =
  { id = Atomic.fetch_and_add ids 1; turn = 0; exchange = Exchange.create capacity }

let rendezvous () = create 0

let bounded capacity =
  if capacity < 1 then invalid_arg "Drover.Chan.bounded: capacity < 1";
  create capacity

let unbounded () = create max_int
let length c = Exchange.length c.exchange
let is_closed c = Exchange.is_closed c.exchange

(* What follows a gift, or a seat that is gone *)

let settle_receiver c (place : _ receiver Line.place) =
  let (Receiver { seat; _ }) = place.who in
  Seat.wake seat;
  Exchange.remove_receiver c.exchange place

let settle_sender c (place : _ sender Line.place) =
  let (Sender { seat; served; _ }) = place.who in
  Seat.wake seat;
  Exchange.remove_sender c.exchange ~with_slot:(Seat.is seat served) place

(* Gives the slots that are owed. *)
let rec serve c () =
  match Exchange.creditor c.exchange with
  | None -> ()
  | Some ({ who = Sender { seat; served; _ }; _ } as place) ->
      ignore (Seat.give seat served : bool);
      settle_sender c place;
      serve c ()

let release c (slot : Exchange.slot) () =
  if slot.is_held then Exchange.vacate c.exchange slot;
  serve c ()

(* The slot that the sender was given, unless a receiver has it: see [take_early]. *)
let claim c right slot =
  if Exchange.has_slots c.exchange then begin
    Exchange.claim_slot right slot;
    Exchange.forget c.exchange
  end

let give_slot_back c right slot () =
  claim c right slot;
  release c slot ()

(* [false] if that one is not there any more. *)
let hand_over c v (place : _ receiver Line.place) =
  let (Receiver { seat; accept }) = place.who in
  let given = Seat.Given (accept { message = Some v }) in
  let settle () = settle_receiver c place in
  Critical.reserve_stack ();
  let is_given = Seat.give seat given in
  Critical.finish settle;
  is_given

(* Gives back the message in [hand], if it is there still: to the next that waits, or to all. *)
let rec give_back c (hand : _ Exchange.message) () =
  match hand.message with
  | Some v -> (
      match Exchange.give_back c.exchange v hand with
      | For ({ who = Receiver { seat; accept }; _ } as place) ->
          Seat.give_for seat (Seat.Given (accept { message = hand.message })) hand None;
          settle_receiver c place;
          give_back c hand ()
      | Stored | Full | Refused -> give_back c hand ())
  | None ->
      if Option.is_some (Exchange.receiver_after_all c.exchange) then Exchange.draw c.exchange hand;
      if Option.is_some hand.message then give_back c hand () else serve c ()

(* Sending *)

(* Sends without a wait, if that is possible now. *)
let rec try_send c v =
  match Exchange.offer c.exchange v with
  | Stored -> true
  | For receiver -> hand_over c v receiver || try_send c v
  | Full -> false
  | Refused -> raise Closed

let rec fill_with c v slot =
  match Exchange.fill c.exchange v slot with
  | Stored -> ()
  | For receiver -> if not (hand_over c v receiver) then fill_with c v slot
  | Full -> assert false (* there is the slot *)
  | Refused -> raise Closed

let send_with c v right slot =
  claim c right slot;
  if slot.is_held then fill_with c v slot

let rec send c v = if not (try_send c v) then send_later c v

(* With the slot that is given. *)
and send_later c v =
  let seat = Seat.create () and slot = { Exchange.is_held = false } and right = Exchange.right () in
  let place = Line.place (Sender { seat; served = Given slot; message = v; right }) in
  let give_slot_back = give_slot_back c right slot in
  let undo () =
    Seat.give_up seat;
    settle_sender c place;
    if Seat.is_given seat then give_slot_back ()
  in
  Critical.reserve_stack ();
  (match
     Seat.wait seat (fun () -> Exchange.queue_sender c.exchange place);
     if Seat.is_given seat then begin
       settle_sender c place;
       send_with c v right slot
     end
   with
  | () -> ()
  | exception exn -> Critical.raise_despite undo () exn);
  if not (Seat.is_given seat) then send c v else if slot.is_held then Critical.finish give_slot_back

(* Receiving. Each is [None] if what was there is gone. *)

(* A message that leaves a slot to others. *)
let draw c =
  let hand = { Exchange.message = None } in
  let serve = serve c and undo = give_back c hand in
  Critical.or_undo ~undo (fun () ->
      Exchange.draw c.exchange hand;
      Critical.finish serve);
  hand.message

(* The message of a sender that waits. *)
let take_from c (place : _ sender Line.place) =
  let (Sender { seat; served; message }) = place.who in
  let hand = { Exchange.message = None } and message = Some message in
  let settle () = settle_sender c place and undo = give_back c hand in
  Critical.or_undo ~undo (fun () ->
      Seat.give_for seat served hand message;
      Critical.finish settle);
  hand.message

(* The message of a sender that was given a slot, and has not filled it yet. *)
let take_early c (place : _ sender Line.place) =
  let (Sender { message; right; _ }) = place.who in
  let hand = { Exchange.message = None } and slot = { Exchange.is_held = false } in
  let message = Some message in
  let settle () =
    release c slot ();
    Exchange.forget c.exchange
  and undo = give_back c hand in
  Critical.or_undo ~undo (fun () ->
      Exchange.claim_message right slot hand message;
      Critical.finish settle);
  hand.message

(* Without a wait, if that is possible now. *)
let rec try_recv c =
  match Exchange.take c.exchange with Some _ as message -> message | None -> look_closer c

and look_closer c =
  match Exchange.lack c.exchange with
  | From sender -> again c (take_from c sender)
  | Early sender -> again c (take_early c sender)
  | Draw -> again c (draw c)
  | Empty -> None
  | Over -> raise Closed

and again c = function Some _ as message -> message | None -> try_recv c

let rec recv c = match try_recv c with Some v -> v | None -> recv_later c

and recv_later c =
  let seat = Seat.create () in
  let place = Line.place (Receiver { seat; accept = Fun.id }) in
  let undo () =
    Seat.give_up seat;
    settle_receiver c place;
    Option.iter (fun hand -> give_back c hand ()) (Seat.given seat)
  in
  Critical.reserve_stack ();
  match Seat.wait seat (fun () -> Exchange.queue_receiver c.exchange place) with
  | () -> ( match Atomic.get seat.state with Given { message = Some v } -> v | _ -> recv c)
  | exception exn -> Critical.raise_despite undo () exn

let rec iter f c =
  match recv c with
  | exception Closed -> ()
  | v ->
      f v;
      iter f c

(* Closing *)

let rec turn_away_receivers c =
  match Exchange.first_receiver c.exchange with
  | None -> ()
  | Some ({ who = Receiver { seat; _ }; _ } as place) ->
      Seat.give_up seat;
      settle_receiver c place;
      turn_away_receivers c

let rec turn_away_senders c =
  match Exchange.first_sender c.exchange with
  | None -> ()
  | Some ({ who = Sender { seat; _ }; _ } as place) ->
      Seat.give_up seat;
      settle_sender c place;
      turn_away_senders c

let close c =
  let step () =
    Exchange.close c.exchange;
    turn_away_receivers c;
    turn_away_senders c;
    serve c ()
  in
  Critical.reserve_stack ();
  Critical.finish step
