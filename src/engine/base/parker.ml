(* Parker.

   Empty --park--> Parked --wake--> Token --the thread goes on--> Empty
     |               +--it goes on for another reason--> Empty
     +--wake--> Token --park--> Empty

   1. The thread makes the step to Parked, and then blocks.
   2. The waker makes the step to Token, and unblocks the thread if that was Parked: also when it
      has not blocked yet, so what unblocks it must be remembered.

   A condition variable does not remember: so the waker locks the mutex, which the thread holds from
   before it looks at the state until it waits.

   Nothing wakes a thread that waits on a condition variable to run the handler of a signal. So the
   main thread, to which the workers leave the signals, is parked at a bell instead. *)

type state = Empty | Token | Parked of { unblock : unit -> unit }
type t = { state : state Atomic.t; mutex : Stdlib.Mutex.t; condition : Stdlib.Condition.t }

let create () =
  {
    state = Atomic.make Empty;
    mutex = Stdlib.Mutex.create ();
    condition = Stdlib.Condition.create ();
  }

let wake p =
  match Atomic.exchange p.state Token with
  | Parked { unblock } -> Shared.insist unblock ()
  | Empty | Token -> ()

let park_by p ~unblock block =
  let parked = Parked { unblock } in
  let undo () = ignore (Atomic.compare_and_set p.state parked Empty : bool) in
  if Atomic.compare_and_set p.state Empty parked then Failure.finally undo block;
  Atomic.compare_and_set p.state Token Empty

(* The thread that is about to wait has the mutex, and the handler of a signal may wake it just then. *)
let rec signal p =
  match Stdlib.Mutex.lock p.mutex with
  | () ->
      Stdlib.Condition.signal p.condition;
      Stdlib.Mutex.unlock p.mutex
  | exception Sys_error _ -> ignore (Thread.create signal p : Thread.t)

let main_bell = Bell.create ()
let glanced = Atomic.make ignore
let on_glance f = Atomic.set glanced f

let rec park p =
  let is_woken =
    if Domain.is_main_domain () && This_thread.number () = 0 then
      park_by p
        ~unblock:(fun () -> Bell.ring main_bell)
        (fun () ->
          Bell.prepare main_bell;
          Bell.park main_bell ~until:infinity)
      || begin
        Atomic.get glanced ();
        false
      end
    else
      park_by p
        ~unblock:(fun () -> signal p)
        (fun () ->
          (* No safepoint lies between the lock and the wait, but for signals. *)
          Stdlib.Mutex.protect p.mutex (fun () ->
              match Atomic.get p.state with
              | Parked _ -> Stdlib.Condition.wait p.condition p.mutex
              | Empty | Token -> ()))
  in
  if not is_woken then park p
