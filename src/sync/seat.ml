(* Seat.

   Empty --give v--> Given v
   Empty --give_up--> Gone

   A wait that raises gives its seat up, and if it comes too late for that, gives back what it
   was given. *)

type 'v state = Empty | Given of 'v | Gone

type 'v t = {
  state : 'v state Atomic.t;
  mutable waiter : Waiter.t option; (* written before anybody else gets to know the seat *)
}

let create () = { state = Atomic.make Empty; waiter = None }
let give seat given = Atomic.compare_and_set seat.state Empty given

(* The same as one step with what the caller has: a signal, or the message that it gives or gets. *)

let[@poll error] give_from seat given (hand : Permits.hand) =
  if Atomic.compare_and_set seat.state Empty given then hand.held <- hand.held - 1

let[@poll error] give_for seat given (hand : _ Exchange.message) message =
  if Atomic.compare_and_set seat.state Empty given then hand.message <- message

let wake seat =
  match (Atomic.get seat.state, seat.waiter) with
  | (Given _ | Gone), Some waiter -> ignore (Waiter.wake waiter : bool)
  | _ -> ()

let is seat state = Atomic.get seat.state == state
let given seat = match Atomic.get seat.state with Given v -> Some v | Empty | Gone -> None
let is_given seat = match Atomic.get seat.state with Given _ -> true | Empty | Gone -> false
let give_up seat = ignore (Atomic.compare_and_set seat.state Empty Gone : bool)

(* A wait that is cancelled gives its seat up first: so either it was given nothing, or the
   cancellation comes too late, and is for the next wait. *)
let cancelled seat exn =
  let backtrace = Printexc.get_raw_backtrace () in
  give_up seat;
  if not (is_given seat) then Printexc.raise_with_backtrace exn backtrace

let wait seat get_in_line =
  let sit waiter =
    seat.waiter <- Some waiter;
    if not (get_in_line ()) then ignore (Waiter.wake waiter : bool)
  in
  match Wait.wait sit with () -> () | exception (Token.Cancelled _ as exn) -> cancelled seat exn
