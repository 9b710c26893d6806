(* Where the stack overflows: what must be put back is. A test of its own, as ThreadSanitizer does not
   bear overflows. *)

open Test_support

(* A thread that makes another with all signals blocked, where its stack is nearly full. *)
let full_stack =
  let play () =
    ignore (Poller.at (Clock.now () +. 100.) ignore : float * int);
    for n = 0 to 400 do
      Poller.leave ();
      (try Room.within n Poller.ensure with Stack_overflow -> ());
      if Thread.sigmask SIG_BLOCK [] <> [] then failwith "signals stay blocked"
    done
  in
  { Child.name = "the thread for timers is made"; play }

let tests () =
  Alcotest.run "inside overflow" [ ("a full stack", [ Child.case ~parameters:"l=16k" full_stack ]) ]

let () = Child.main [ full_stack ] tests
