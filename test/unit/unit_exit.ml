(* How programs end: by themselves, by [exit], by an exception, by a signal. *)

open Test_support
open Drover
open Stdlib

let scene name play = { Child.name; play }
let say text = print_endline text
let forget p = ignore (p : unit Promise.t)

(* A task that waits for what never comes. *)
let for_ever () = await (fst (Promise.create ()))

(* Both domains of the pool are in it. *)
let busy_on_two f =
  let here = Atomic.make 0 in
  let meet k () =
    Atomic.incr here;
    while Atomic.get here < 2 do
      Domain.cpu_relax ()
    done;
    k ()
  in
  ignore (both (meet f) (meet f) : unit * unit)

let compute () = say (string_of_int (Fib.fib 15))

(* Programs that come to their end. *)
let ends =
  [
    (scene "default pool" compute, "610\n");
    (scene "pool never closed" (fun () -> Pool.run (Pool.create ~domains:4 ()) compute), "610\n");
    ( scene "idle pools" (fun () ->
          ignore (List.init 5 (fun i -> Pool.create ~domains:(i + 1) ()) : Pool.t list);
          say "made"),
      "made\n" );
    ( scene "tasks left in the default pool" (fun () ->
          forget
            (async (fun () ->
                 await (async (fun () -> Thread.delay 0.05));
                 say "ran"))),
      "ran\n" );
    ( scene "tasks that start tasks" (fun () ->
          let rec chain n = forget (async (fun () -> if n = 0 then say "ran" else chain (n - 1))) in
          chain 1000),
      "ran\n" );
    ( scene "tasks that start tasks, slowly" (fun () ->
          let rec chain n =
            Thread.delay 0.01;
            if n = 0 then say "ran" else forget (async (fun () -> chain (n - 1)))
          in
          chain 5),
      "ran\n" );
    ( scene "a task that waits for ever" (fun () ->
          forget (async for_ever);
          say "left"),
      "left\n" );
    ( scene "a task of a pool that waits for ever" (fun () ->
          Pool.run (Pool.create ~domains:2 ()) (fun () -> forget (async for_ever));
          say "left"),
      "left\n" );
    ( scene "a timer that is not due" (fun () ->
          run ~domains:2 (fun () -> Scope.first [ (fun () -> sleep 3600.); (fun () -> sleep 0.01) ]);
          say "left"),
      "left\n" );
    ( scene "a task that sleeps" (fun () ->
          forget (async (fun () -> sleep 3600.));
          say "left"),
      "left\n" );
    ( scene "a call that blocks" (fun () ->
          let started, start = Promise.create () in
          forget
            (async (fun () ->
                 blocking (fun () ->
                     Promise.fulfil start ();
                     Unix.sleep 3600)));
          await started;
          say "left"),
      "left\n" );
    ( scene "what a call that blocks prints" (fun () ->
          await (async (fun () -> blocking (fun () -> Format.printf "first@\n")));
          say "second"),
      "first\nsecond\n" );
    ( scene "a pool closed after calls that block" (fun () ->
          run ~domains:2 (fun () ->
              ignore (all (List.init 70 (fun _ () -> blocking ignore)) : unit list));
          say "left"),
      "left\n" );
    ( scene "a pool used at exit" (fun () ->
          compute ();
          at_exit (fun () -> say (string_of_int (await (async (fun () -> 7)))))),
      "610\n7\n" );
    ( scene "closed in another domain" (fun () ->
          let p = Domain.join (Domain.spawn (fun () -> Pool.create ~domains:2 ())) in
          Pool.run p compute;
          Domain.join (Domain.spawn (fun () -> Pool.close p))),
      "610\n" );
  ]

(* Programs that call [exit 7] somewhere. *)
let exits =
  [
    scene "exit in a run" (fun () -> run ~domains:2 (fun () -> exit 7));
    scene "exit in a run of one" (fun () -> run ~domains:1 (fun () -> exit 7));
    scene "exit in an async" (fun () -> await (async (fun () -> exit 7)));
    scene "exit in an async of the default pool, not awaited" (fun () ->
        forget (async (fun () -> exit 7));
        Thread.delay 3600.0);
    scene "exit on two domains" (fun () ->
        run ~domains:2 (fun () ->
            let once = Atomic.make false in
            busy_on_two (fun () -> if not (Atomic.exchange once true) then exit 7)));
    scene "exit while others compute" (fun () ->
        run ~domains:2 (fun () ->
            let once = Atomic.make false in
            busy_on_two (fun () ->
                if not (Atomic.exchange once true) then exit 7
                else
                  while true do
                    Domain.cpu_relax ()
                  done)));
    scene "exit outside, while tasks wait" (fun () ->
        forget (async for_ever);
        exit 7);
    scene "exit in a call that blocks" (fun () -> run (fun () -> blocking (fun () -> exit 7)));
    scene "exit in a loop" (fun () ->
        parallel_for ~start:1 ~finish:1000 (fun i -> if i = 500 then exit 7));
  ]

let uncaught =
  [
    scene "uncaught outside" (fun () ->
        let p = Pool.create ~domains:2 () in
        Pool.run p ignore;
        failwith "outside");
    scene "uncaught in a run" (fun () -> run ~domains:2 (fun () -> failwith "in a run"));
    scene "uncaught, tasks wait" (fun () ->
        forget (async for_ever);
        failwith "while tasks wait");
  ]

(* Programs that a signal ends. They say that they are ready just before they wait or compute. *)

let wait_for_ever () =
  Child.ready ();
  for_ever ()

let waiting =
  [
    ("waiting in a run", fun () -> run ~domains:2 wait_for_ever);
    ("waiting in a run of one", fun () -> run ~domains:1 wait_for_ever);
    ("waiting for an async", fun () -> await (async wait_for_ever));
    ("waiting for a promise", wait_for_ever);
    ( "sleeping",
      fun () ->
        Child.ready ();
        sleep infinity );
    ( "waiting in close",
      fun () ->
        let p = Pool.create ~domains:2 () in
        Pool.run p (fun () -> forget (async for_ever));
        Child.ready ();
        Pool.close p );
  ]

let endless () =
  Child.ready ();
  while true do
    ignore (Sys.opaque_identity (ref 0))
  done

let computing = [ ("computing", fun () -> run ~domains:1 endless) ]

(* Only a wait, or the main thread's own computation, can be interrupted: not what another domain
   computes. *)
let computing_on_two =
  [ ("computing on two domains", fun () -> run ~domains:2 (fun () -> busy_on_two endless)) ]

let interrupted ~catch programs =
  let interrupted (name, program) =
    scene
      (Printf.sprintf "%s, %s" name (if catch then "break caught" else "default"))
      (fun () ->
        Sys.catch_break catch;
        match program () with () -> exit 1 | exception Sys.Break -> exit 7)
  in
  List.map interrupted programs

let waiting_killed = interrupted ~catch:false waiting
let killed = interrupted ~catch:false (computing @ computing_on_two)
let waiting_caught = interrupted ~catch:true waiting
let caught = interrupted ~catch:true computing

(* Tests *)

let show = function
  | Unix.WEXITED n -> Printf.sprintf "exit %d" n
  | Unix.WSIGNALED s -> "signal " ^ Sys.signal_to_string s
  | Unix.WSTOPPED s -> "stopped by " ^ Sys.signal_to_string s

let check_status expected (e : Child.ending) =
  Alcotest.(check string) ("ends; its errors: " ^ e.errors) (show expected) (show e.status)

let ends_well ?parameters (scene, output) =
  Watchdog.case scene.Child.name (fun () ->
      let e = Child.ending (Child.start ?parameters scene) in
      check_status (Unix.WEXITED 0) e;
      Alcotest.(check string) "output" output e.output;
      Alcotest.(check string) "errors" "" e.errors)

let ends_with code scene =
  Watchdog.case scene.Child.name (fun () ->
      check_status (Unix.WEXITED code) (Child.ending (Child.start scene)))

let interrupt ?(until = ignore) expected scene =
  Watchdog.case scene.Child.name (fun () ->
      let c = Child.start scene in
      Child.until_ready c;
      until c;
      Child.signal c Sys.sigint;
      check_status expected (Child.ending c))

(* A signal that comes just before a thread falls asleep does not wake it. *)
let interrupt_asleep = interrupt ~until:Child.until_asleep

let unawaited =
  scene "a failure that nobody awaits" (fun () -> forget (async (fun () -> failwith "unseen")))

let one_line () =
  let e = Child.ending (Child.start unawaited) in
  check_status (Unix.WEXITED 0) e;
  match String.split_on_char '\n' e.errors with
  | [ line; "" ] when String.ends_with ~suffix:{|Failure("unseen")|} line -> ()
  | _ -> Alcotest.failf "not one line about it: %S" e.errors

let () =
  Child.main
    ((unawaited :: List.map fst ends) @ exits @ uncaught @ waiting_killed @ killed @ waiting_caught
   @ caught)
    (fun () ->
      Alcotest.run "unit exit"
        [
          ("the end", List.map (fun scene -> ends_well scene) ends);
          (* As caml_shutdown does in a program that is not OCaml's. *)
          ("the end of the runtime", List.map (ends_well ~parameters:"c") ends);
          ("exit", List.map (ends_with 7) exits);
          ("uncaught", List.map (ends_with 2) uncaught);
          ( "interrupted",
            List.map (interrupt_asleep (Unix.WSIGNALED Sys.sigint)) waiting_killed
            @ List.map (interrupt (Unix.WSIGNALED Sys.sigint)) killed );
          ( "interrupted and caught",
            List.map (interrupt_asleep (Unix.WEXITED 7)) waiting_caught
            @ List.map (interrupt (Unix.WEXITED 7)) caught );
          ("unawaited", [ Watchdog.case "one line on stderr" one_line ]);
        ])
