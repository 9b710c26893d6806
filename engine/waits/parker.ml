(* Parker.

   Nowhere --park--> On_condition, On_bell or In_fiber --woken, interrupted, or time--> Nowhere

   Whoever wakes sets the token and then looks where the thread is parked; the thread says where and
   then looks at the token. So one of them sees the other.

   Nothing wakes a thread that waits on a condition variable to run the handler of a signal. So the
   main thread, to which the workers leave the signals, parks on a bell instead: a signal interrupts
   it, and its handler may raise out of the wait, as [Sys.Break] does. The token is taken when the
   thread has come back.

   Before a thread parks, it hands its duties over; see [Duty].

   A fiber of another scheduler leaves the thread to others meanwhile; see [Host]. *)

type place = Nowhere | On_condition | On_bell of Bell.t | In_fiber of (unit -> unit)
(* resumes it *)

type t = {
  mutex : Stdlib.Mutex.t;
  condition : Stdlib.Condition.t;
  token : bool Atomic.t;
  place : place Atomic.t;
}

let create () =
  {
    mutex = Stdlib.Mutex.create ();
    condition = Stdlib.Condition.create ();
    token = Atomic.make false;
    place = Atomic.make Nowhere;
  }

(* With the mutex: the thread is parked, or has not looked at the token yet. *)
let signal p =
  Stdlib.Condition.signal p.condition;
  Stdlib.Mutex.unlock p.mutex

(* The thread has looked at the token and is about to park, and a signal's handler has come just then:
   it has the mutex until it is parked. The caller may be that handler, or who it waits for. *)
let signal_later p =
  let signal () =
    Stdlib.Mutex.lock p.mutex;
    signal p
  in
  try ignore (Thread.create signal () : Thread.t) with Failure _ | Sys_error _ -> ()

let patience = 1000

let rec signal_after tries p =
  if Stdlib.Mutex.try_lock p.mutex then signal p
  else if tries = patience then signal_later p
  else begin
    (* It may be another thread of this domain. *)
    if tries mod 64 = 0 then Thread.yield () else Domain.cpu_relax ();
    signal_after (tries + 1) p
  end

let deliver p =
  Atomic.set p.token true;
  match Atomic.get p.place with
  | Nowhere -> ()
  | On_condition -> signal_after 1 p
  | On_bell bell -> Bell.ring bell
  | In_fiber resume -> resume ()

let wake p =
  Critical.reserve_stack ();
  Critical.finish (fun () -> deliver p)

let is_woken p = Atomic.get p.token
let leave p = Atomic.set p.place Nowhere

(* Whether there was a token. *)
let take_token p =
  leave p;
  is_woken p && Atomic.exchange p.token false

let park_on_condition p =
  Duty.hand_over_all ();
  Stdlib.Mutex.lock p.mutex;
  match
    Atomic.set p.place On_condition;
    while not (is_woken p) do
      Stdlib.Condition.wait p.condition p.mutex
    done
  with
  | () ->
      Stdlib.Mutex.unlock p.mutex;
      ignore (take_token p : bool)
  | exception exn ->
      Stdlib.Mutex.unlock p.mutex;
      Critical.raise_after leave p exn

let park_at p place block =
  match
    Atomic.set p.place place;
    if not (is_woken p) then block ()
  with
  | () -> take_token p
  | exception exn -> Critical.raise_after leave p exn

let suspend p ~resume await = park_at p (In_fiber resume) await

let park_on bell p block =
  Duty.hand_over_all ();
  Bell.prepare bell;
  park_at p (On_bell bell) block

(* The main thread is parked in one place at a time. *)
let main_bell = Bell.create ()
let park_on_main_bell () = ignore (Bell.park main_bell ~until:infinity)
let rec park_on_bell p = if not (park_on main_bell p park_on_main_bell) then park_on_bell p
let is_main_thread () = Domain.is_main_domain () && This_thread.number () = 0
let park p = if is_main_thread () then park_on_bell p else park_on_condition p
