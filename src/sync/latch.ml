(* Latch: a lobby that is emptied when a count has come down to zero. *)

type t = { left : int Atomic.t; lobby : unit Seat.t Lobby.t }

let create n =
  if n < 0 then invalid_arg "Drover.Latch.create: the count is negative";
  { left = Atomic.make n; lobby = Lobby.create () }

let left l = Atomic.get l.left

let let_go (place : _ Line.place) =
  ignore (Seat.give place.who (Given ()) : bool);
  Seat.wake place.who

let rec open_up l () =
  let line = Lobby.look l.lobby in
  List.iter let_go (Line.to_list line);
  if not (Lobby.clear l.lobby line) then open_up l ()

(* First the step and then the look; pairs with [wait]. *)
let rec count_down_with l open_up =
  let n = Atomic.get l.left in
  if n = 0 then invalid_arg "Drover.Latch.count_down: the latch is open already";
  if not (Atomic.compare_and_set l.left n (n - 1)) then count_down_with l open_up
  else if n = 1 then Critical.finish open_up

let count_down l =
  let open_up = open_up l in
  Critical.reserve_stack ();
  count_down_with l open_up

(* First enters and then looks; pairs with [count_down]. *)
let wait_inside l =
  let seat = Seat.create () in
  let place = Line.place seat in
  Critical.or_undo
    ~undo:(fun () ->
      Seat.give_up seat;
      Lobby.leave l.lobby place)
    (fun () ->
      Seat.wait seat (fun () ->
          Lobby.enter l.lobby place;
          Atomic.get l.left > 0);
      Lobby.leave l.lobby place)

let wait l = if Atomic.get l.left > 0 then wait_inside l
