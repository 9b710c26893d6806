(* Barrier: a lobby where parties meet, again and again.

   The step that clears the lobby decides who has met: whoever is in it then has passed the
   barrier, also if its wait is cancelled before it is awake. *)

type t = { parties : int; lobby : unit Seat.t Lobby.t }

let create parties =
  if parties < 1 then invalid_arg "Drover.Barrier.create: parties < 1";
  { parties; lobby = Lobby.create () }

let parties b = b.parties

let let_go (place : _ Line.place) =
  ignore (Seat.give place.who (Given ()) : bool);
  Seat.wake place.who

(* The last lets the others go on, and itself, so that a cancellation in that moment comes too late;
   [true] if the caller is in the lobby now, and then [is_in] says so. *)
let rec meet b place is_in () =
  let line = Lobby.look b.lobby in
  if Line.length line + 1 < b.parties then
    if Lobby.enter_after b.lobby line place then begin
      is_in := true;
      true
    end
    else meet b place is_in ()
  else
    let all = place :: Line.to_list line in
    let let_go () = List.iter let_go all in
    if Lobby.clear b.lobby line then begin
      Critical.finish let_go;
      false
    end
    else meet b place is_in ()

let wait b =
  let seat = Seat.create () and is_in = ref false and is_out = ref false in
  let place = Line.place seat in
  let undo () = if not !is_out then Lobby.withdraw b.lobby place is_out in
  match Critical.or_undo ~undo (fun () -> Seat.wait seat (meet b place is_in)) with
  | () -> ()
  | exception Token.Cancelled _ when !is_in && not !is_out -> ()
