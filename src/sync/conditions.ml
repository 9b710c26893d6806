(* Condition: a lobby that one enters with a mutex, which is unlocked once one is inside. *)

type t = Waiter.t Lobby.t

let create () : t = Lobby.create ()

let register c m waiter ~unlocks =
  (* Who is in the lobby may go on elsewhere at once. *)
  unlocks ();
  match Lobby.enter c waiter with
  | None -> assert false (* never closed *)
  | Some ticket ->
      Mutexes.unlock m;
      fun () -> Lobby.leave c ticket waiter

(* A wait that was cancelled before it began does not unlock [m]. *)
let wait c m =
  if not (Mutexes.is_locked m) then
    invalid_arg ("Drover.Condition.wait: " ^ Mutexes.name m ^ " is not locked");
  let unlocked = ref false in
  let unlocks () = unlocked := true in
  let lock () = if !unlocked then Mutexes.lock_in_any_case m in
  Waiting.between ignore lock (fun () -> Waiting.until (register c m ~unlocks))

let rec signal c =
  match Lobby.next c with None -> () | Some waiter -> if not (Waiter.wake waiter) then signal c

let broadcast c = List.iter (fun waiter -> ignore (Waiter.wake waiter : bool)) (Lobby.all c)
