(* Condition: a line of those who wait, that one joins with a mutex, which is unlocked then.

   1. The waiter joins the line, and unlocks the mutex: from then on it may be signalled.
   2. The signaller takes the first out of the line, and gives it the signal, with one step at its seat;
      if that one was cancelled before, it takes the next.
   3. The waiter locks the mutex again, whether it was signalled or is cancelled. *)

type who = { seat : unit Seat.t; mutable ticket : int }
type t = who Line.t Atomic.t

let create () : t = Atomic.make Line.empty

let rec join (c : t) who =
  let line = Atomic.get c in
  who.ticket <- Line.ticket line;
  if not (Atomic.compare_and_set c line (Line.join line who)) then join c who

let rec leave (c : t) who =
  let line = Atomic.get c in
  let rest = Line.leave line who.ticket who in
  if not (rest == line || Atomic.compare_and_set c line rest) then leave c who

let rec signal_first (c : t) () =
  let line = Atomic.get c in
  match Line.next line with
  | None -> ()
  | Some (who, rest) ->
      if not (Atomic.compare_and_set c line rest && Seat.give who.seat ()) then signal_first c ()

let signal c = Section.run (signal_first c) ()

let signal_all (c : t) () =
  let give who = ignore (Seat.give who.seat () : bool) in
  List.iter give (Line.to_list (Atomic.exchange c Line.empty))

let broadcast c = Section.run (signal_all c) ()

(* A wait that is cancelled before it begins does not unlock [m]. *)
let unlock_and_wait c m =
  let who = { seat = Seat.create (); ticket = 0 } and is_unlocked = ref false in
  let join () =
    join c who;
    Mutexes.unlock_for "Condition.wait" m;
    is_unlocked := true;
    true
  in
  match Seat.wait who.seat ~join ~leave:(fun () -> leave c who) with
  | (_ : unit Seat.state) -> Mutexes.lock_in_any_case m ()
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      if !is_unlocked then Mutexes.lock_in_any_case m ();
      Printexc.raise_with_backtrace exn backtrace

let wait c m =
  if not (Mutexes.is_locked m) then Mutexes.not_locked "Condition.wait" m;
  Section.run (unlock_and_wait c) m
