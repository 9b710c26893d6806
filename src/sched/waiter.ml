(* Waiter: one wait of a task or of a thread, which somebody ends.

   Waiting resume --wake--> Ended

   What is waited for keeps waiters, and wakes one when its turn comes; [wake] says whether that
   ended the wait, so that what is handed over with it is never handed to nobody. *)

type state = Waiting of (unit -> unit) | Ended
type t = state Atomic.t

let wait register = Task.wait (fun resume -> register (Atomic.make (Waiting resume)))

let wake waiter =
  match Atomic.exchange waiter Ended with
  | Waiting resume ->
      resume ();
      true
  | Ended -> false
