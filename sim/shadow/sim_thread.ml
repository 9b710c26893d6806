(* Threads of a domain *)

open Drover_machine
open World

type t = thread

let self () = me ()
let id (t : t) = t.number

let create f x =
  Turns.sync ();
  Work.spend !w.model.thread;
  let t = Threads.create_in (me ()).domain ~name:"thread" (fun () -> f x) in
  Threads.start t;
  t

let until seconds =
  let now = (me ()).time in
  if seconds >= 1e9 then never else now + int_of_float (seconds *. 1e9)

let delay seconds = ignore (Threads.park ~until:(until seconds) : bool)
let yield = Threads.yield
let join = Threads.join

type sigmask_command = SIG_SETMASK | SIG_BLOCK | SIG_UNBLOCK

let sigmask (_ : sigmask_command) (_ : int list) : int list = []
