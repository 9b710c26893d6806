(* A program that stands still for good says so, without DROVER_DEBUG; and one that only waits does not. *)

open Test_support
open Drover
open Stdlib

let scene name play = { Child.name; play }
let never () : unit Promise.t = fst (Promise.create ())

(* Calls in tail position would not be seen. *)

let[@inline never] wait_for promise =
  await promise;
  ignore (Sys.opaque_identity 0 : int)

let[@inline never] run_for_ever domains =
  run ~domains (fun () -> await (never ()));
  ignore (Sys.opaque_identity 0 : int)

(* The program stands still *)

let in_run domains =
  scene (Printf.sprintf "run, %d domains" domains) (fun () -> run_for_ever domains)

let without_pool = scene "without a pool" (fun () -> wait_for (never ()))
let rendezvous = scene "a rendezvous" (fun () -> Chan.send (Chan.rendezvous ()) 1)

(* What has served timers, calls and descriptors goes away, or is known. *)
let after_all_else =
  scene "after all else" (fun () ->
      Thread.join (Thread.create ignore ());
      run ~domains:2 (fun () ->
          sleep 0.01;
          blocking (fun () -> Unix.sleepf 0.01);
          let out_of, into = Unix.pipe () in
          ignore (Unix.write_substring into "." 0 1 : int);
          wait_readable out_of);
      run_for_ever 2)

(* That one waits for ever, too. *)
let beside_domain =
  scene "beside a domain" (fun () ->
      ignore (Domain.spawn (fun () -> await (never ())) : unit Domain.t);
      run_for_ever 1)

let standing = [ in_run 1; in_run 2; without_pool; rendezvous; after_all_else; beside_domain ]

(* Something will end the wait *)

let seconds = 4.

(* [wait_until resume] is to call [resume] after a while. *)
let awaits name wait_until =
  scene name (fun () ->
      let promise, resolver = Promise.create () in
      wait_until (Promise.fulfil resolver);
      run ~domains:2 (fun () -> await promise))

let in_thread f resume =
  ignore
    (Thread.create
       (fun () ->
         f ();
         resume ())
       ()
      : Thread.t)

let until_late pause () =
  let until = Unix.gettimeofday () +. seconds in
  while Unix.gettimeofday () < until do
    pause ()
  done

let shell command =
  let arguments = [| "sh"; "-c"; Printf.sprintf command seconds |] in
  ignore (Unix.create_process "/bin/sh" arguments Unix.stdin Unix.stdout Unix.stderr : int)

(* A descriptor on which a byte comes. *)
let late_byte () =
  let out_of, into = Unix.pipe () in
  let until_there () = ignore (Unix.read out_of (Bytes.create 1) 0 1 : int) in
  ignore
    (Unix.create_process "/bin/sh"
       [| "sh"; "-c"; Printf.sprintf "sleep %g; echo" seconds |]
       Unix.stdin into Unix.stderr
      : int);
  (out_of, until_there)

let waiting =
  [
    awaits "a thread that sleeps" (in_thread (fun () -> Thread.delay seconds));
    awaits "a thread that selects" (in_thread (fun () -> ignore (Unix.select [] [] [] seconds)));
    awaits "a thread that reads" (fun resume ->
        let _, until_there = late_byte () in
        in_thread until_there resume);
    awaits "a thread that computes" (in_thread (until_late ignore));
    awaits "a thread that sleeps often" (in_thread (until_late (fun () -> Thread.delay 0.02)));
    awaits "a thread that sleeps for a second" (in_thread (until_late (fun () -> Thread.delay 1.)));
    awaits "a domain that sleeps" (fun resume ->
        ignore
          (Domain.spawn (fun () ->
               Unix.sleepf seconds;
               resume ())
            : unit Domain.t));
    awaits "the handler of a signal" (fun resume ->
        Sys.set_signal Sys.sigusr1 (Signal_handle (fun _ -> resume ()));
        shell "sleep %g; kill -USR1 $PPID");
    scene "a thread, without a pool" (fun () ->
        let promise, resolver = Promise.create () in
        in_thread (fun () -> Thread.delay seconds) (Promise.fulfil resolver);
        await promise);
    scene "a timer" (fun () -> run ~domains:2 (fun () -> sleep seconds));
    scene "a call of blocking" (fun () ->
        run ~domains:2 (fun () -> blocking (fun () -> Unix.sleepf seconds)));
    scene "a descriptor" (fun () ->
        let out_of, _ = late_byte () in
        run ~domains:2 (fun () -> wait_readable out_of));
    scene "a task that computes" (fun () ->
        run ~domains:2 (fun () -> await (async (until_late ignore))));
    scene "a task in a system call" (fun () ->
        run ~domains:2 (fun () -> await (async (fun () -> Unix.sleepf seconds))));
  ]

(* The system ends it. *)
let silenced =
  scene "silenced" (fun () ->
      ignore (Unix.alarm (int_of_float seconds) : int);
      run_for_ever 1)

(* The tests *)

let start ?(debug = "") scene =
  Unix.putenv "DROVER_DEBUG" debug;
  Child.start scene

let is_reported scene =
  Watchdog.case scene.Child.name (fun () ->
      let child = start scene in
      Child.until_says child "Drover: the program stands still";
      Child.signal child Sys.sigkill;
      let e = Child.ending child in
      let missing part =
        if not (Child.contains e.errors part) then
          Alcotest.failf "%S is missing in: %s" part e.errors
      in
      List.iter missing
        [
          "Drover: the program stands still"; "at\n    Dune__exe__Unit_standstill"; "DROVER_DEBUG=1";
        ])

let is_silent ?(status = Unix.WEXITED 0) scene child =
  Watchdog.case scene.Child.name (fun () ->
      let e = Child.ending (Lazy.force child) in
      Alcotest.(check string) "errors" "" e.errors;
      Alcotest.(check bool) "ends as it should" true (e.status = status))

let () =
  Child.main (silenced :: (standing @ waiting)) (fun () ->
      (* They wait at the same time. *)
      let children = lazy (List.map (fun scene -> start scene) waiting) in
      let child_of n = lazy (List.nth (Lazy.force children) n) in
      Alcotest.run "unit standstill"
        [
          ("stands still", List.map is_reported standing);
          ("waits", List.mapi (fun n scene -> is_silent scene (child_of n)) waiting);
          ( "DROVER_DEBUG=0",
            [
              is_silent ~status:(WSIGNALED Sys.sigalrm) silenced (lazy (start ~debug:"0" silenced));
            ] );
        ])
