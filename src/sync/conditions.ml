(* Condition: a lobby that one enters with a mutex, which is unlocked once one is inside. *)

type t = Waiter.t Lobby.t

let create () : t = Lobby.create ()

let register c m waiter =
  match Lobby.enter c waiter with
  | None -> assert false (* never closed *)
  | Some ticket ->
      Mutexes.unlock m;
      fun () -> Lobby.leave c ticket waiter

let wait c m =
  if not (Mutexes.is_locked m) then
    invalid_arg ("Drover.Condition.wait: " ^ Mutexes.name m ^ " is not locked");
  match Waiting.until (register c m) with
  | () -> Mutexes.lock_in_any_case m
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Mutexes.lock_in_any_case m;
      Printexc.raise_with_backtrace exn backtrace

let rec signal c =
  match Lobby.next c with None -> () | Some waiter -> if not (Waiter.wake waiter) then signal c

let broadcast c = List.iter (fun waiter -> ignore (Waiter.wake waiter : bool)) (Lobby.all c)
