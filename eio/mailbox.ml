(* Mailbox: what a fiber that waits is told, from whatever domain.

   Asleep --post--> Awake [ letter ], and the fiber is woken

   Awake letters --post--> Awake (letter :: letters)

   Awake letters --take--> Awake [], by the fiber

   Awake [] --fall asleep--> Asleep, by the fiber

   Awake [] or Awake [ Nudge ] --close--> Closed, by the fiber: then nothing can be posted

   Whatever raises in the middle of a post, such as a finaliser, the letter is in the box once, if
   the post is gone on with. Only Eio's own call that wakes a fiber is never made twice, because a
   fiber can be resumed but once. *)

(* A nudge has the fiber look at what it waits for. It calls a request, with a switch for fibers or
   the reason why there is none. *)
type letter = Nudge | Request of ((Eio.Switch.t, exn) result -> unit)

(* Letters: the latest first. *)
type state = Awake of letter list | Asleep of (unit -> unit) | Closed
type t = { mutable state : state [@atomic] }

let no_letters = Awake []
let nudged = Awake [ Nudge ]
let create () = { state = no_letters }

(* Of the fiber *)

let[@inline] step t before after = Atomic.Loc.compare_and_set [%atomic.loc t.state] before after

(* What has come, in order. *)
let take t =
  match Atomic.Loc.exchange [%atomic.loc t.state] no_letters with
  | Awake letters -> List.rev letters
  | Asleep _ | Closed -> assert false (* the fiber, which is awake, has not closed it *)

(* [true] if there was nothing to be done in it. *)
let close t = step t nudged Closed || step t no_letters Closed

(* For a fiber that has just been suspended: [false] if there is a letter. *)
let fall_asleep t wake = step t no_letters (Asleep wake)

(* Of anybody *)

type stage = New | Posted | Refused

type envelope = {
  letter : letter;
  mutable stage : stage;
  mutable wake : unit -> unit; (* whom the letter has woken *)
}

let nobody () = ()
let envelope letter = { letter; stage = New; wake = nobody }

let[@poll error] put t e before after =
  if Atomic.Loc.compare_and_set [%atomic.loc t.state] before after then begin
    e.stage <- Posted;
    match before with Asleep wake -> e.wake <- wake | Awake _ | Closed -> ()
  end

let[@poll error] take_wake e =
  let wake = e.wake in
  e.wake <- nobody;
  wake

(* Posts it; may be called again when it was interrupted. *)
let rec send t e =
  match e.stage with
  | Posted -> (take_wake e) ()
  | Refused -> ()
  | New ->
      (match (Atomic.Loc.get [%atomic.loc t.state], e.letter) with
      | Closed, _ -> e.stage <- Refused
      | (Asleep _ as before), Nudge -> put t e before nudged
      | (Asleep _ as before), letter -> put t e before (Awake [ letter ])
      | (Awake letters as before), letter -> put t e before (Awake (letter :: letters)));
      send t e

(* [false] if it is closed. Never waits. *)
let post t letter =
  let e = envelope letter in
  Critical.finish (fun () -> send t e);
  e.stage = Posted
