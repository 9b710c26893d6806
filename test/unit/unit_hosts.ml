(* Calls from fibers of another scheduler, which has installed domain-local-await: they suspend, and
   the other fibers of their thread go on. *)

open Test_support

exception Stop

(* What a fiber does after the one that waits has left it the thread. *)
let suspends make () =
  Rounds.run (fun () ->
      let { Awaits.wait; go; _ } = make () in
      ignore (Rounds.fork go : Rounds.fiber);
      wait ())

(* Several at a time, some of them beside what computes. *)
let many make () =
  Rounds.run (fun () ->
      let waits = List.init 5 (fun _ -> make ()) in
      List.iter (fun w -> ignore (Rounds.fork w.Awaits.wait : Rounds.fiber)) waits;
      Rounds.pass ();
      List.iter (fun w -> w.Awaits.go ()) waits)

let cancelled make () =
  Rounds.run (fun () ->
      let { Awaits.wait; again; _ } = make () in
      let has_stopped = ref false in
      let stop () = match wait () with () -> () | exception Stop -> has_stopped := true in
      let fiber = Rounds.fork stop in
      Rounds.pass ();
      Rounds.cancel fiber Stop;
      Rounds.pass ();
      Alcotest.(check bool) "stopped" true !has_stopped;
      again ())

let each f = List.map (fun (name, make) -> Watchdog.case name (f make)) Awaits.all

(* The loop's domain does not compute, and the pool has all its own. *)
let lends_nothing () =
  let here = Domain.self () in
  let elsewhere pool = Drover.Pool.run pool (fun () -> Domain.self () <> here) in
  let check domains =
    let pool = Drover.Pool.create ~domains () in
    Alcotest.(check bool) "a thread lends" false (elsewhere pool);
    Rounds.run (fun () -> Alcotest.(check bool) "a fiber does not" true (elsewhere pool));
    Drover.Pool.close pool
  in
  List.iter check [ 1; 2 ]

let uses_all_domains () =
  let pool = Drover.Pool.create ~domains:2 () in
  let meet () =
    let b = Drover.Barrier.create 2 in
    let arrive () =
      Drover.Barrier.wait b;
      Domain.self ()
    in
    ignore (Drover.both arrive arrive : Domain.id * Domain.id)
  in
  Rounds.run (fun () -> Drover.Pool.run pool meet);
  Drover.Pool.close pool

let compute () = Drover.parallel_reduce ~start:1 ~finish:100 ~init:0 ~combine:( + ) Fun.id
let check_computes () = Alcotest.(check int) "sum" 5050 (compute ())

(* What interrupts a fiber cannot suspend. *)

let in_a_handler () =
  let has_run = ref false in
  let handle _ =
    check_computes ();
    has_run := true
  in
  let before = Sys.signal Sys.sigusr1 (Signal_handle handle) in
  Rounds.run (fun () ->
      Unix.kill (Unix.getpid ()) Sys.sigusr1;
      while not !has_run do
        Rounds.pass ()
      done);
  Sys.set_signal Sys.sigusr1 before

let in_a_finaliser () =
  let has_run = ref false in
  let[@inline never] leave_one () =
    Gc.finalise
      (fun _ ->
        check_computes ();
        has_run := true)
      (ref 0)
  in
  Rounds.run (fun () ->
      leave_one ();
      while not !has_run do
        Gc.full_major ()
      done)

let in_a_thread () =
  Rounds.run (fun () ->
      let promise, resolver = Drover.Promise.create () in
      let thread =
        Thread.create
          (fun () ->
            check_computes ();
            Drover.Promise.fulfil resolver ())
          ()
      in
      Drover.await promise;
      Thread.join thread)

(* Each of these is called by several fibers of one thread, while another is in it. *)

let fibers n f =
  for _ = 1 to n do
    ignore (Rounds.fork f : Rounds.fiber)
  done

let no_recursion () =
  Rounds.run (fun () ->
      let l = Drover.Lazy.from_fun compute in
      fibers 5 (fun () -> Alcotest.(check int) "lazy" 5050 (Drover.Lazy.force l)))

let one_object () =
  let sum = ref 0 in
  let run ops =
    check_computes ();
    Array.iter (fun n -> sum := !sum + n) ops
  in
  let b = Drover.Batch.create run in
  Rounds.run (fun () -> fibers 50 (fun () -> Drover.Batch.submit b 1));
  Alcotest.(check int) "sum" 50 !sum

(* The mutex is locked again, although the fiber cannot suspend any more. *)
let condition_cancelled () =
  let open Drover in
  let m = Mutex.create () and c = Condition.create () and has_stopped = ref false in
  let wait () =
    Mutex.lock m;
    match Condition.wait c m with
    | () -> ()
    | exception Stop ->
        Mutex.unlock m;
        has_stopped := true
  in
  Rounds.run (fun () ->
      let fiber = Rounds.fork wait in
      Rounds.pass ();
      let is_locked, tell = Promise.create () and is_cancelled, resolver = Promise.create () in
      let holder =
        async (fun () ->
            Mutex.protect m (fun () ->
                Promise.fulfil tell ();
                await is_cancelled;
                Drover.sleep 0.01))
      in
      await is_locked;
      Rounds.cancel fiber Stop;
      Promise.fulfil resolver ();
      await holder);
  Alcotest.(check bool) "stopped" true !has_stopped;
  Alcotest.(check bool) "unlocked" false (Mutex.is_locked m)

(* Whoever waits no more leaves nothing in what lives on. *)
let leaves_nothing () =
  let promise, resolver = Drover.Promise.create () in
  let await () = Drover.await promise in
  let task = Drover.async await and pool = Drover.Pool.create ~domains:1 () in
  let alone = Drover.Pool.async pool await in
  let impatient () =
    Rounds.run (fun () ->
        for _ = 1 to 100 do
          let wait p () = match Drover.await p with () -> () | exception Stop -> () in
          let fibers = List.map (fun p -> Rounds.fork (wait p)) [ promise; task; alone ] in
          Rounds.pass ();
          List.iter (fun f -> Rounds.cancel f Stop) fibers;
          Rounds.pass ()
        done)
  in
  Leak.check "live words" ~limit:500 Leak.live_words impatient;
  Drover.Promise.fulfil resolver ();
  Drover.await task;
  Drover.Pool.close pool

let () =
  Alcotest.run "unit hosts"
    [
      ("suspends", each suspends);
      ("many", each many);
      ("cancelled", each cancelled);
      ( "domains",
        [
          Watchdog.case "are not lent" lends_nothing; Watchdog.case "are all used" uses_all_domains;
        ] );
      ( "cannot suspend",
        [
          Watchdog.case "a signal's handler" in_a_handler;
          Watchdog.case "a finaliser" in_a_finaliser;
          Watchdog.case "another thread" in_a_thread;
          Watchdog.case "a fiber that locks again" condition_cancelled;
        ] );
      ( "fibers of one thread",
        [
          Watchdog.case "lazy values" no_recursion;
          Watchdog.case "a batch's object" one_object;
          Watchdog.case "leave nothing" leaves_nothing;
        ] );
    ]
