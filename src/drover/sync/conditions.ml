(* Condition: a rendezvous where nobody waits to send. One joins it with a mutex, which is unlocked
   then.

   1. The waiter gets in line as a receiver, and unlocks the mutex: from then on it may be signalled.
   2. The signaller sends to the first in line; one that was cancelled is passed over.
   3. The waiter locks the mutex again, whether it was signalled or is cancelled. *)

type t = unit Exchange.t

let create = Exchange.rendezvous
let signal c = ignore (Exchange.try_send c () : bool)
let broadcast c = Section.run (Exchange.dismiss_all c) Nobody

(* A wait that is cancelled before it begins does not unlock [m]. *)
let unlock_and_wait c m =
  let is_unlocked = ref false and seat = Seat.create () in
  let party = Exchange.Party { seat; served = ignore; message = None; ticket = 0 } in
  let join () =
    ignore (Exchange.queue c party : bool);
    Locks.unlock_for "Condition.wait" m;
    is_unlocked := true;
    true
  and remove () = Exchange.remove c party
  and lock_again () = if !is_unlocked then Locks.lock_in_any_case m () in
  Failure.finally lock_again (fun () ->
      ignore (Seat.wait "waits for a condition" seat ~join ~remove : unit Seat.state))

let wait c m =
  if not (Locks.Mutex.is_locked m) then Locks.not_locked "Condition.wait" m;
  Section.run (unlock_and_wait c) m
