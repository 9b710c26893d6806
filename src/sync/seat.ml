(* Seat.

   Free --wait--> Waiting w --claim--> Given v
     |               |
     +---------------+--give_up--> Gone

   The giver and the canceller of a wait race for one step: so a message is either given, or stays
   where it is. *)

type 'v state = Free | Waiting of Waiter.t | Given of 'v | Gone
type 'v t = 'v state Atomic.t

let create () = Atomic.make Free

let claim seat v =
  match Atomic.get seat with
  | Waiting waiter as before when Atomic.compare_and_set seat before (Given v) -> Some waiter
  | Free | Waiting _ | Given _ | Gone -> None

let give seat v =
  match claim seat v with
  | Some waiter ->
      ignore (Waiter.wake waiter : bool);
      true
  | None -> false

let rec give_up seat =
  match Atomic.get seat with
  | (Free | Waiting _) as before -> Atomic.compare_and_set seat before Gone || give_up seat
  | Given _ | Gone -> false

let dismiss seat =
  match Atomic.get seat with
  | Waiting waiter -> if give_up seat then ignore (Waiter.wake waiter : bool)
  | Free | Given _ | Gone -> ()

(* What raises out of a thread that waits outside of tasks and hosts is a signal's handler. *)
let is_handler's () = Option.is_none (Worker.mine ()) && not (Host.is_here ())

let cancellable wait x ~withdraw =
  match wait x with
  | () -> ()
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      if withdraw () || is_handler's () then Printexc.raise_with_backtrace exn backtrace

let wait seat ~join ~leave =
  let sit waiter =
    Atomic.set seat (Waiting waiter);
    if not (join ()) then dismiss seat
  in
  let withdraw () =
    give_up seat
    && begin
      leave ();
      true
    end
  in
  cancellable Wait.wait sit ~withdraw
