(* Cancellation that comes late: when what it was for is over. *)

open Test_support

exception Stop

let fiber () = (Task.context ()).token

let interrupt fiber =
  Token.count_cause fiber Stop;
  Token.call_attention fiber

let in_task f = Pool.run_in_new ~domains:1 f

(* [f ()] while the calling task waits. *)
let while_it_waits f =
  Wait.wait "" (fun waiter ->
      let thread () =
        f ();
        ignore (Waiter.wake waiter : bool)
      in
      ignore (Thread.create thread () : Thread.t))

(* Whoever cancels counts a cause up and then calls for attention. In between the fiber may have
   ended what is cancelled, and wait for something else. *)
let late_attention () =
  in_task (fun () ->
      let fiber = fiber () in
      while_it_waits (fun () -> Token.call_attention fiber))

(* The cause may even be counted down before it is counted up. *)
let late_count () =
  in_task (fun () ->
      let fiber = fiber () in
      Token.forgive fiber;
      while_it_waits (fun () -> interrupt fiber))

let in_time () =
  in_task (fun () ->
      let fiber = fiber () in
      (match while_it_waits (fun () -> interrupt fiber) with
      | () -> Alcotest.fail "not cancelled"
      | exception Token.Cancelled Stop -> ());
      Token.forgive fiber;
      while_it_waits ignore)

(* A wait that cannot be leaves the task's attention to its worker. *)
let wait_in_a_finaliser () =
  in_task (fun () ->
      let worker = Option.get (Worker.mine ()) and refused = ref false in
      let wait () = try Wait.wait "" ignore with Invalid_argument _ -> refused := true in
      Gc.finalise_last wait (ref 0);
      while not !refused do
        Gc.full_major ()
      done;
      worker.limit <- max_int;
      interrupt (fiber ());
      Alcotest.(check int) "the limit" 0 worker.limit;
      Token.forgive (fiber ()))

(* A parent that is not over keeps some of its children, but not what they failed with. *)
let keeps_no_reason () =
  let parent = Token.root ignore and reach = Reach.create () in
  let exception Holding of int ref in
  for i = 1 to 20 do
    let child = Token.create ignore Fork parent in
    assert (Token.start child);
    Token.cancel child (Holding (Reach.watch reach (ref i)));
    Token.finish child
  done;
  Alcotest.(check int) "still reachable" 0 (Reach.alive reach);
  Alcotest.(check bool) "the parent" true (Token.start parent)

let () =
  Alcotest.run "inside token"
    [
      ( "late",
        [
          Watchdog.case "attention" late_attention;
          Watchdog.case "cause" late_count;
          Watchdog.case "in time" in_time;
          Watchdog.case "a wait in a finaliser" wait_in_a_finaliser;
        ] );
      ("kept", [ Watchdog.case "no reason" keeps_no_reason ]);
    ]
