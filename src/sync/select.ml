(* Select: waits at several channels for what comes first.

   It has one seat for all its cases, so that it is given something for one of them only. A
   select that finds, in the middle of getting in line everywhere, that it need not wait gives
   its seat up, and starts again: so it never takes part in two exchanges. As all get in line in
   the order of the channels, of two that are in each other's way only the one that is less far
   starts again. *)

open Passing

type 'r case = Receive : 'a t * ('a -> 'r) -> 'r case | Send : 'a t * 'a * (unit -> 'r) -> 'r case

let receiving c f = Receive (c, f)
let sending c v f = Send (c, v, f)

(* What a seat is given: both are for the one case that it is for. The latter is idempotent. *)
type 'r chosen = { go_on : unit -> (unit -> 'r) option; give_back : unit -> unit }

(* A case, in one attempt to wait. *)
type branch = {
  id : int; (* of its channel *)
  sends : bool;
  queue : unit -> bool;
  leave : unit -> unit;
}

let receives c f seat =
  let accept (hand : _ Exchange.message) =
    let go_on () = Option.map (fun v () -> f v) hand.message in
    { go_on; give_back = give_back c hand }
  in
  let place = Line.place (Receiver { seat; accept }) in
  let queue () = Exchange.queue_receiver c.exchange place in
  { id = c.id; sends = false; queue; leave = (fun () -> settle_receiver c place) }

let sends c v f seat =
  let slot = { Exchange.is_held = false } and right = Exchange.right () in
  let give_back = give_slot_back c right slot in
  let go_on () =
    match send_with c v right slot with
    | () ->
        if slot.is_held then Critical.finish give_back;
        Some f
    | exception Closed ->
        Critical.finish give_back;
        None
  in
  let served = Seat.Given { go_on; give_back } in
  let place = Line.place (Sender { seat; served; message = v; right }) in
  let queue () = Exchange.queue_sender c.exchange place in
  { id = c.id; sends = true; queue; leave = (fun () -> settle_sender c place) }

let branch seat = function
  | Receive (c, f) -> receives c f seat
  | Send (c, v, f) -> sends c v f seat

(* What is returned after a message was sent or received was made before. *)
type 'r trial = Ready of (unit -> 'r) | Waits | Over | All_wait of 'r case list

let attempt = function
  | Receive (c, f) -> (
      let got = ref None in
      let ready =
        Ready (fun () -> match !got with Some v -> f v | None -> assert false (* [got] is set *))
      in
      match got := try_recv c with
      | () -> if Option.is_some !got then ready else Waits
      | exception Closed -> Over)
  | Send (c, v, f) -> (
      let ready = Ready f in
      match try_send c v with true -> ready | false -> Waits | exception Closed -> Over)

(* The first case that is ready, or those that wait. *)
let rec first_ready waiting = function
  | [] -> All_wait waiting
  | case :: cases -> (
      match attempt case with
      | Waits -> first_ready (case :: waiting) cases
      | Over -> first_ready waiting cases
      | (Ready _ | All_wait _) as ready -> ready)

(* Each time another case is looked at first, so that one that is always ready does not starve the
   others. The first channel's turn goes on by the golden section of a circle, so that all cases come
   first equally often also when several selects take turns at that channel. A race does no harm. *)

let circle = 1 lsl 30
let golden_section = 663608941

let rotate cases =
  let next c =
    c.turn <- (c.turn + golden_section) land (circle - 1);
    c.turn
  in
  match cases with
  | [] | [ _ ] -> cases
  | first :: _ ->
      let turn = match first with Receive (c, _) -> next c | Send (c, _, _) -> next c in
      let skip = turn * List.length cases / circle in
      List.drop skip cases @ List.take skip cases

let get_in_line branches () = List.for_all (fun branch -> branch.queue ()) branches
let leave_all branches () = List.iter (fun branch -> branch.leave ()) branches

let wait_for_one seat branches =
  let leave_all = leave_all branches in
  let undo () =
    Seat.give_up seat;
    leave_all ();
    Option.iter (fun chosen -> chosen.give_back ()) (Seat.given seat)
  in
  Critical.or_undo ~undo (fun () ->
      Seat.wait seat (get_in_line branches);
      Seat.give_up seat;
      Critical.finish leave_all;
      Option.bind (Seat.given seat) (fun chosen -> chosen.go_on ()))

(* In the order of the channels. *)
let branches seat cases =
  let sorted = List.stable_sort (fun a b -> Int.compare a.id b.id) (List.map (branch seat) cases) in
  let rec check = function
    | a :: (b :: _ as rest) ->
        if a.id = b.id && a.sends <> b.sends then
          invalid_arg "Drover.Chan.select: sends to and receives from the same channel";
        check rest
    | [ _ ] | [] -> ()
  in
  check sorted;
  sorted

let rec select cases =
  match first_ready [] (rotate cases) with
  | Ready k -> k ()
  | All_wait [] | Waits | Over -> raise Closed
  | All_wait waiting -> (
      let seat = Seat.create () in
      match wait_for_one seat (branches seat waiting) with Some k -> k () | None -> select cases)
