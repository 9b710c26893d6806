(* Condition: a lobby that one enters with a mutex, which is unlocked once one is inside. *)

type t = unit Seat.t Lobby.t

let create () : t = Lobby.create ()

(* Gives the signal in [hand] to whoever came first, and wakes it; idempotent. *)
let rec pass_on (c : t) given (hand : Permits.hand) () =
  match Lobby.first c with
  | None -> hand.held <- 0
  | Some ({ who = seat; _ } as place) -> (
      match Atomic.get seat.state with
      | Empty ->
          if hand.held > 0 then begin
            Seat.give_from seat given hand;
            pass_on c given hand ()
          end
      | Given _ | Gone ->
          Seat.wake seat;
          Lobby.leave c place;
          pass_on c given hand ())

let signal c =
  let hand = { Permits.held = 1 } in
  let step = pass_on c (Given ()) hand in
  Critical.reserve_stack ();
  Critical.finish step

let rec broadcast_with (c : t) given =
  let line = Lobby.look c in
  if not (Line.is_empty line) then begin
    let places = Line.to_list line in
    let let_go (place : _ Line.place) =
      ignore (Seat.give place.who given : bool);
      Seat.wake place.who
    in
    let step () = List.iter let_go places in
    Critical.reserve_stack ();
    if Lobby.clear c line then Critical.finish step else broadcast_with c given
  end

let broadcast c = broadcast_with c (Given ())

(* A signal that comes too late for a wait that has raised is passed on. *)
let give_up (c : t) place pass_on () =
  let seat = place.Line.who in
  Seat.give_up seat;
  Lobby.leave c place;
  if Seat.is_given seat then pass_on ()

(* Whoever is in the lobby, and has unlocked [m], may be signalled at once. *)
let unlock_and_wait (c : t) m place (pause : Mutexes.pause) () =
  Seat.wait place.Line.who (fun () ->
      Lobby.enter c place;
      Critical.finish pause.unlock;
      pause.is_unlocked ());
  if not (pause.is_unlocked ()) then Mutexes.not_locked "Condition.wait" m

let lock_again (pause : Mutexes.pause) = if pause.is_unlocked () then Critical.finish pause.lock

(* A wait that is cancelled before it begins does not unlock [m]. *)
let wait (c : t) m =
  if not (Mutexes.is_locked m) then Mutexes.not_locked "Condition.wait" m;
  let place = Line.place (Seat.create ()) and pause = Mutexes.pause m in
  let pass_on = pass_on c (Given ()) { held = 1 } in
  let undo = give_up c place pass_on in
  match Critical.or_undo ~undo (unlock_and_wait c m place pause) with
  | () -> lock_again pause
  | exception exn -> Critical.raise_after lock_again pause exn
