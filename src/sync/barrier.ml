(* Barrier: a lobby where parties meet, again and again. *)

type t = { parties : int; lobby : Waiter.t Lobby.t }

let create parties =
  if parties < 1 then invalid_arg "Drover.Barrier.create: parties < 1";
  { parties; lobby = Lobby.create () }

let parties b = b.parties

(* Who comes last lets the others go on, and itself: it need not have waited. *)
let register b waiter =
  match Lobby.meet b.lobby ~parties:b.parties waiter with
  | Waits ticket -> fun () -> Lobby.leave b.lobby ticket waiter
  | Met others ->
      List.iter (fun waiter -> ignore (Waiter.wake waiter : bool)) (others @ [ waiter ]);
      ignore

let wait b = Waiting.until (register b)
