(* Latch: a lobby that is closed when a count has come down to zero. *)

type t = { left : int Atomic.t; lobby : Waiter.t Lobby.t }

let wake waiter = ignore (Waiter.wake waiter : bool)
let open_up l = List.iter wake (Lobby.close l.lobby)

let create n =
  if n < 0 then invalid_arg "Drover.Latch.create: negative";
  let l = { left = Atomic.make n; lobby = Lobby.create () } in
  if n = 0 then open_up l;
  l

let left l = Atomic.get l.left

let rec count_down l =
  let n = Atomic.get l.left in
  if n = 0 then invalid_arg "Drover.Latch.count_down: the latch is open already";
  if not (Atomic.compare_and_set l.left n (n - 1)) then count_down l else if n = 1 then open_up l

let register l waiter =
  match Lobby.enter l.lobby waiter with
  | Some ticket -> fun () -> Lobby.leave l.lobby ticket waiter
  | None ->
      wake waiter;
      ignore

let wait l = if not (Lobby.is_closed l.lobby) then Waiting.until (register l)
