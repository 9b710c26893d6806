(* Mailbox: what a fiber that waits is told, from whatever domain.

   Asleep --post--> Awake [ letter ], and the fiber is woken

   Awake letters --post--> Awake (letter :: letters)

   Awake letters --take--> Awake [], by the fiber

   Awake [] --fall asleep--> Asleep, by the fiber

   Awake [] or Awake [ Nudge ] --close--> Closed, by the fiber: then nothing can be posted *)

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

(* [false] if it is closed. Never waits. *)
let rec post t letter =
  match Atomic.Loc.get [%atomic.loc t.state] with
  | Closed -> false
  | Awake letters as before -> step t before (Awake (letter :: letters)) || post t letter
  | Asleep wake as before ->
      let after = match letter with Nudge -> nudged | Request _ -> Awake [ letter ] in
      if step t before after then begin
        wake ();
        true
      end
      else post t letter
