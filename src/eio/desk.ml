(* Desk: where a fiber sits while a task runs for it: the task, and all that this has started, may
   request that the fiber's loop does something meanwhile.

   Each request has a fiber of its own, below the fiber that waits: in its cancellation context, with
   its variables. So any number are in progress at a time, and the fiber goes on when none is.

   Open --the task has ended--> Ending: new requests are refused

   Ending --no request is in progress--> Closed *)

module Fiber_context = Eio.Private.Fiber_context

type t = {
  box : Mailbox.t;
  mutable requests : int; (* in progress; of the fiber's domain only, like what follows *)
  mutable is_ending : bool;
}

let create () = { box = Mailbox.create (); requests = 0; is_ending = false }

(* The desk that the calling task belongs to. *)
let key : t option Drover.Local.t = Drover.Local.create None
let at desk f = Drover.Local.with_value key (Some desk) f
let here () = Drover.Local.get key

(* Requests *)

let leave desk =
  desk.requests <- desk.requests - 1;
  if desk.is_ending && desk.requests = 0 then ignore (Mailbox.post desk.box Nudge : bool)

(* [f ()] in a fiber of its own, unless that would be cancelled before it begins. [f] raises
   nothing. *)
let fork desk place f ~unless =
  match Result.map (fun sw -> (sw, Eio.Switch.get_error sw)) place with
  | Ok (sw, None) ->
      desk.requests <- desk.requests + 1;
      Eio.Fiber.fork ~sw (fun () ->
          f ();
          leave desk)
  | Ok (_, Some exn) | Error exn -> unless exn

(* The fiber *)

(* Suspends the calling fiber, calls [begin_ ()], and waits for a letter. [on_cancel] is called if
   the fiber is cancelled meanwhile; this does not end the wait by itself. *)
let sit_down desk ~on_cancel fiber enqueue =
  Fiber_context.set_cancel_fn fiber on_cancel;
  let wake () = enqueue (Ok ()) in
  if not (Mailbox.fall_asleep desk.box wake) then wake ()

let wait desk ~on_cancel =
  Eio.Private.Suspend.enter_unchecked "Drover_eio" (fun fiber enqueue ->
      Option.iter on_cancel (Fiber_context.get_error fiber);
      sit_down desk ~on_cancel fiber enqueue)

let is_request = function Mailbox.Request _ -> true | Nudge -> false
let read place = function Mailbox.Request f -> f place | Nudge -> ()

let may_rise desk ~is_over =
  desk.is_ending <- is_over ();
  desk.is_ending && desk.requests = 0 && Mailbox.close desk.box

(* Reads letters until the task has ended and no request is in progress. A switch is made for the
   first request only; in a fiber that is cancelled, there can be none. *)
let rec serve ?switch desk ~on_cancel ~is_over =
  let letters = Mailbox.take desk.box in
  let go_on ?switch place =
    List.iter (read place) letters;
    go_on ?switch desk ~on_cancel ~is_over
  in
  match switch with
  | Some sw -> go_on ~switch:sw (Ok sw)
  | None when not (List.exists is_request letters) -> go_on (Error Exit)
  | None -> (
      match Eio.Fiber.check () with
      | () -> Eio.Switch.run ~name:"Drover_eio" (fun sw -> go_on ~switch:sw (Ok sw))
      | exception exn -> go_on (Error exn))

and go_on ?switch desk ~on_cancel ~is_over =
  if not (may_rise desk ~is_over) then begin
    wait desk ~on_cancel;
    serve ?switch desk ~on_cancel ~is_over
  end

(* To be called when there was a letter. *)
let run desk ~on_cancel ~is_over =
  if not (may_rise desk ~is_over) then serve desk ~on_cancel ~is_over
