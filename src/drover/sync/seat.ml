(* Seat.

   Open --claim--------------> Given v
     +----withdraw, dismiss--> Gone

   1. The giver and the canceller of a wait race for one step: so a message is either given, or stays
      where it is.
   2. Where the giver was faster, the cancellation comes too late: the wait returns what was given, and the
      task's next point raises (see [cancellable]). *)

type 'v state = Open | Given of 'v | Gone

type 'v t = {
  mutable state : 'v state; [@atomic]
  mutable waiter : Waiter.t; (* written before others find the seat *)
}

let nobody = Waiter.of_thread ()
let create () = { state = Open; waiter = nobody }
let[@inline] step seat after = Atomic.Loc.compare_and_set [%atomic.loc seat.state] Open after
let claim seat v = step seat (Given v)
let wake seat = ignore (Waiter.wake seat.waiter : bool)
let dismiss seat = if step seat Gone then wake seat

(* What raises out of a thread that waits outside of tasks and hosts is a signal's handler. [withdraw] comes first, in
   any case: one may strike again. *)
let cancellable wait aim x ~withdraw =
  try wait aim x
  with exn ->
    let has_left = withdraw () in
    let backtrace = Printexc.get_raw_backtrace () in
    if has_left || (Option.is_none (Worker.mine ()) && not (Host.is_here ())) then
      Printexc.raise_with_backtrace exn backtrace

let wait aim seat ~join ~remove =
  let sit waiter =
    seat.waiter <- waiter;
    if not (join ()) then dismiss seat
  and withdraw () =
    step seat Gone
    && begin
      Shared.insist remove ();
      true
    end
  in
  cancellable Wait.wait aim sit ~withdraw;
  Atomic.Loc.get [%atomic.loc seat.state]
