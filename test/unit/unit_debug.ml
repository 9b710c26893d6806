(* What DROVER_DEBUG=1 reports, and that nothing is reported without it. *)

open Test_support
open Drover
open Stdlib

let scene name play = { Child.name; play }

(* Scenes end when this was reported: their errors go to a file. *)
let reported () = In_channel.with_open_bin "/proc/self/fd/2" In_channel.input_all
let has_reported text = Child.contains (reported ()) text

let count_lines part text =
  List.length (List.filter (fun line -> Child.contains line part) (String.split_on_char '\n' text))

(* Until that was reported: but a worker that is off its core when it is to say where it is seems to be in a
   system call, and is not asked again. So it ends then, for the caller to try again. *)
let[@inline never] compute_until text =
  let since = Unix.gettimeofday () in
  while not (has_reported text || Unix.gettimeofday () -. since > 5.) do
    for i = 1 to 100_000 do
      ignore (Sys.opaque_identity (ref i) : int ref)
    done
  done

let rec compute_until_found () =
  compute_until "compute_until";
  if not (has_reported "compute_until") then begin
    Scope.check ();
    compute_until_found ()
  end

(* Beside a wait for a task that never ends. *)
let until_reported text f =
  let waiting = Domain.spawn f in
  while not (has_reported text) do
    Unix.sleepf 0.01
  done;
  ignore (waiting : unit Domain.t);
  exit 0

(* A call in tail position would not be seen. *)

let[@inline never] wait_for promise =
  await promise;
  ignore (Sys.opaque_identity 0 : int)

let[@inline never] lock_for_ever mutex =
  Drover.Mutex.lock mutex;
  ignore (Sys.opaque_identity 0 : int)

(* Nothing else of these is on the stack of what they start. *)

let[@inline never] loop_over f =
  parallel_for ~start:1 ~finish:2 f;
  ignore (Sys.opaque_identity 0 : int)

let[@inline never] start_to_wait promise =
  let task = async (fun () -> await promise) in
  ignore (Sys.opaque_identity task : unit Promise.t)

let never () = fst (Promise.create ())

let keeps_worker domains =
  scene (Printf.sprintf "keeps a worker, %d domains" domains) (fun () ->
      run ~domains (fun () -> ignore (both ignore compute_until_found : unit * unit)))

let system_call =
  scene "a system call" (fun () ->
      until_reported "has kept" (fun () -> run ~domains:1 (fun () -> Unix.sleep 3600)))

let system_call_in_loop =
  scene "a system call in a loop" (fun () ->
      until_reported "has kept" (fun () ->
          run ~domains:1 (fun () -> loop_over (fun _ -> Unix.sleepf 3600.))))

(* Two seconds at one place: the watch finds the worker late twice. *)
let repeated_call =
  scene "a system call again and again" (fun () ->
      run ~domains:1 (fun () ->
          for _ = 1 to 2 do
            Unix.sleepf 2.5;
            Scope.check ()
          done;
          ignore (Sys.opaque_identity 0 : int)))

(* It is cancelled before it is late, or after that. *)
let never_checks ~timeout =
  scene (Printf.sprintf "never checks, %g s" timeout) (fun () ->
      run ~domains:2 (fun () ->
          while not (has_reported "was cancelled") do
            try Scope.with_timeout timeout (fun () -> compute_until "was cancelled")
            with Scope.Timeout -> ()
          done))

(* In a call that goes on when its time is up. *)

let interrupted_call =
  scene "a call that is interrupted" (fun () ->
      until_reported "cannot be interrupted" (fun () ->
          run ~domains:2 (fun () ->
              Scope.limited ~timeout:0.01 (fun () -> loop_over (fun _ -> Unix.sleepf 3600.)))))

let cancelled_call =
  scene "a call of blocking that is cancelled" (fun () ->
      until_reported "cannot be stopped" (fun () ->
          run ~domains:2 (fun () ->
              Scope.with_timeout 0.01 (fun () ->
                  blocking (fun () -> Unix.sleepf 3600.);
                  ignore (Sys.opaque_identity 0 : int)))))

let deadlock domains =
  scene (Printf.sprintf "deadlock, %d domains" domains) (fun () ->
      until_reported "Drover: deadlock" (fun () ->
          run ~domains (fun () ->
              let mutex = Drover.Mutex.create ~name:"the ledger" () and promise = never () in
              Drover.Mutex.lock mutex;
              ignore (async (fun () -> lock_for_ever mutex) : unit Promise.t);
              start_to_wait promise;
              ignore (all (List.init 3 (fun _ () -> wait_for promise)) : unit list))))

(* Each waits for something else that nobody brings about. *)
let waits_for_all =
  [
    ("receives from a channel", fun () -> ignore (Chan.recv (Chan.bounded 1) : int));
    ("sends to a channel", fun () -> Chan.send (Chan.rendezvous ()) 1);
    ( "selects from channels",
      fun () ->
        Chan.select
          [ Chan.receiving (Chan.bounded 1) ignore; Chan.receiving (Chan.bounded 1) ignore ] );
    ("waits for a channel to be closed", fun () -> Chan.wait_closed (Chan.bounded 1));
    ("awaits a promise", fun () -> await (never ()));
    ("acquires a semaphore", fun () -> Drover.Semaphore.acquire (Drover.Semaphore.create 0));
    ("waits for a latch", fun () -> Latch.wait (Latch.create 1));
    ("waits at a barrier", fun () -> Barrier.wait (Barrier.create 2));
    ( "waits for a condition",
      fun () ->
        let mutex = Drover.Mutex.create () in
        Drover.Mutex.protect mutex (fun () ->
            Drover.Condition.wait (Drover.Condition.create ()) mutex) );
    ( "waits for the tasks of a scope",
      fun () -> Scope.run (fun scope -> Scope.spawn scope (fun () -> await (never ()))) );
  ]

let waits_for_much =
  scene "waits for much" (fun () ->
      run ~domains:1 (fun () ->
          ignore
            (all (List.map (fun (_, wait) () -> Scope.run (fun _ -> wait ())) waits_for_all)
              : unit list)))

(* Each part is stolen, as the other waits. *)
let joins =
  scene "joins" (fun () ->
      run ~domains:2 (fun () ->
          let left = Latch.create 2 and right = Latch.create 2 in
          let meet_and_wait latch lasts () =
            Latch.count_down latch;
            Latch.wait latch;
            if lasts then await (never ())
          in
          ignore
            (both
               (fun () ->
                 ignore (both (meet_and_wait left false) (meet_and_wait left true) : unit * unit))
               (fun () ->
                 parallel_for ~grain:1 ~start:0 ~finish:1 (fun i -> meet_and_wait right (i = 1) ()))
              : unit * unit)))

(* By the main program, before there is a pool. *)

let awaits_first = scene "awaits first" (fun () -> wait_for (never ()))

let sends_first =
  scene "sends first" (fun () ->
      Chan.send (Chan.rendezvous ()) 1;
      ignore (Sys.opaque_identity 0 : int))

(* Each of two tasks has a lock that the other wants. *)
let crossed =
  scene "two tasks with two locks" (fun () ->
      let ledger = Drover.Mutex.create ~name:"the ledger" ()
      and journal = Drover.Mutex.create ~name:"the journal" ()
      and both_have_one = Latch.create 2 in
      let transfer first second () =
        Drover.Mutex.lock first;
        Latch.count_down both_have_one;
        Latch.wait both_have_one;
        lock_for_ever second
      in
      run ~domains:1 (fun () ->
          ignore (both (transfer ledger journal) (transfer journal ledger) : unit * unit)))

(* At its own collections a task says where it is. *)
let[@inline never] collect_a_while () =
  for _ = 1 to 100 do
    Gc.minor ();
    Unix.sleepf 0.001
  done

(* A timer is pending, so nothing says that the program hangs. *)
let asked =
  scene "asked beside a timer" (fun () ->
      run ~domains:1 (fun () ->
          Scope.run (fun scope ->
              Scope.daemon scope (fun () -> sleep 1000.);
              Scope.daemon scope (fun () -> wait_for (never ()));
              while not (has_reported "wait_for" && has_reported "is at") do
                sleep 0.01;
                Unix.kill (Unix.getpid ()) Sys.sigquit;
                collect_a_while ()
              done)))

let holds =
  scene "holds a mutex" (fun () ->
      run ~domains:1 (fun () ->
          let mutex = Drover.Mutex.create ~name:"the ledger" () in
          for _ = 1 to 3 do
            Drover.Mutex.protect mutex (fun () -> wait_for (async ignore))
          done))

let[@inline never] lose () = ignore (failwith "lost" : unit)

let forgotten ~recorded =
  scene (Printf.sprintf "a failure that nobody awaits, backtrace %b" recorded) (fun () ->
      Printexc.record_backtrace recorded;
      run ~domains:1 (fun () -> ignore (async lose : unit Promise.t)))

(* Works, sleeps, waits for calls and for a thread that does not wait. *)
let well_behaved =
  scene "well behaved" (fun () ->
      run ~domains:2 (fun () ->
          let promise, resolver = Promise.create () in
          let late = Thread.create (fun () -> Promise.fulfil resolver ()) () in
          ignore
            (all
               [
                 (fun () -> await promise);
                 (fun () -> sleep 1.5);
                 (fun () -> blocking (fun () -> Unix.sleepf 1.5));
                 (fun () ->
                   let until = Unix.gettimeofday () +. 1.5 in
                   while Unix.gettimeofday () < until do
                     Scope.check ()
                   done);
                 (fun () ->
                   let until = Unix.gettimeofday () +. 1.5 in
                   while Unix.gettimeofday () < until do
                     parallel_for ~start:1 ~finish:10 ignore
                   done);
               ]
              : unit list);
          Thread.join late))

let ends ?(debug = "1") ?(code = 0) scene check =
  Watchdog.case scene.Child.name (fun () ->
      Unix.putenv "DROVER_DEBUG" debug;
      let e = Child.ending (Child.start scene) in
      Alcotest.(check bool) ("ends as it should: " ^ e.errors) true (e.status = Unix.WEXITED code);
      check e.errors)

let says parts errors =
  let missing = List.filter (fun part -> not (Child.contains errors part)) parts in
  if missing <> [] then Alcotest.failf "%S is missing in: %s" (String.concat "; " missing) errors

let says_once part errors =
  says [ part ] errors;
  Alcotest.(check int) ("once in: " ^ errors) 1 (count_lines part errors)

let nothing errors = Alcotest.(check string) "errors" "" errors

let delay =
  says [ "Drover: a task has kept worker"; "Unit_debug.compute_until (test/unit/unit_debug.ml:" ]

let call = says [ "Drover: a task has kept worker 0"; "in a system call or in C" ]

let call_in_loop errors =
  call errors;
  says [ "in what was started at\n    Dune__exe__Unit_debug.loop_over" ] errors

let stuck =
  says
    [
      "Drover: deadlock";
      "1x a task of pool-1 waits for the ledger, which task 1 holds, at\n\
      \    Dune__exe__Unit_debug.lock_for_ever";
      "2x a task of pool-1 awaits a promise at\n    Dune__exe__Unit_debug.wait_for";
      "1x a task of pool-1 awaits a promise in what was started at\n\
      \    Dune__exe__Unit_debug.start_to_wait";
      "1x task 1 of pool-1, with the ledger, awaits a promise at\n\
      \    Dune__exe__Unit_debug.wait_for";
      "1x a thread outside waits for the end of a run at";
    ]

let is_told_to_check errors =
  says_once "was cancelled" errors;
  says
    [
      "was cancelled a second ago (Drover.Scope.Timeout), and does not look";
      "Scope.check";
      "Scope.interruptible";
      "It is at\n";
      "Unit_debug.compute_until";
    ]
    errors

let is_answered =
  says
    [
      "Drover: pool-1, tasks from outside: ";
      "worker 0 runs a task";
      "Drover: these wait:\n  for ";
      "1x a task of pool-1 awaits a promise at\n    Dune__exe__Unit_debug.wait_for";
      "1x a task of pool-1 sleeps at\n";
      "Drover: worker 0 of pool-1 is at\n";
      "Unit_debug.collect_a_while";
    ]

(* Where forks are tasks has no order. *)
let stuck_crosswise =
  says
    [
      "Drover: deadlock";
      "with the ledger, waits for the journal, which task";
      "with the journal, waits for the ledger, which task";
    ]

let () =
  Child.main
    [
      keeps_worker 1;
      keeps_worker 2;
      system_call;
      system_call_in_loop;
      repeated_call;
      never_checks ~timeout:0.2;
      never_checks ~timeout:1.5;
      interrupted_call;
      cancelled_call;
      deadlock 1;
      deadlock 2;
      waits_for_much;
      joins;
      awaits_first;
      sends_first;
      crossed;
      asked;
      holds;
      forgotten ~recorded:true;
      forgotten ~recorded:false;
      well_behaved;
    ]
    (fun () ->
      Alcotest.run "unit debug"
        [
          ( "a worker is kept",
            [
              ends (keeps_worker 1) delay;
              ends (keeps_worker 2) delay;
              ends system_call call;
              ends system_call_in_loop call_in_loop;
              ends repeated_call (says_once "in a system call or in C");
            ] );
          ( "what cannot be stopped",
            [
              ends interrupted_call
                (says
                   [ "Drover: a task on worker 0 of pool-1 was cancelled"; "Unit_debug.loop_over" ]);
              ends (never_checks ~timeout:0.2) is_told_to_check;
              ends (never_checks ~timeout:1.5) is_told_to_check;
              ends cancelled_call (says [ "Drover: a task of pool-1 was cancelled" ]);
            ] );
          ( "deadlock",
            [
              ends (deadlock 1) stuck;
              ends (deadlock 2) stuck;
              ends waits_for_much ~debug:"exit" ~code:97
                (says (List.map (fun (aim, _) -> "a task of pool-1 " ^ aim) waits_for_all));
              ends joins ~debug:"exit" ~code:97
                (says [ "joins a fork"; "waits for the rest of a loop" ]);
              ends awaits_first ~debug:"exit" ~code:97
                (says
                   [ "1x a thread outside awaits a promise at\n    Dune__exe__Unit_debug.wait_for" ]);
              ends sends_first ~debug:"exit" ~code:97
                (says [ "1x a thread outside sends to a channel at" ]);
              ends crossed ~debug:"exit" ~code:97 stuck_crosswise;
            ] );
          ("SIGQUIT", [ ends asked is_answered ]);
          ("a mutex is held", [ ends holds (says_once "while it holds the ledger, at") ]);
          ( "a failure that nobody awaits",
            [
              ends ~debug:"0" (forgotten ~recorded:true)
                (says
                   [
                     {|Drover: a task that nobody awaited raised Failure("lost")|};
                     "in file \"test/unit/unit_debug.ml\"";
                   ]);
              ends ~debug:"0" (forgotten ~recorded:false)
                (Alcotest.(check string)
                   "errors" "Drover: a task that nobody awaited raised Failure(\"lost\")\n");
            ] );
          ( "nothing to report",
            List.map
              (fun debug -> ends ~debug well_behaved nothing)
              [ "1"; "0"; "true"; "false"; "" ] );
          ( "the variable",
            [
              ends ~debug:"true" holds (says_once "while it holds the ledger, at");
              ends ~debug:"yes" well_behaved
                (Alcotest.(check string)
                   "errors"
                   "Drover: the variable DROVER_DEBUG is \"yes\", neither 1 nor 0 nor exit\n");
            ] );
        ])
