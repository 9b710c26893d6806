(* A test program that hangs: it ends, after it has reported what it is at. *)

open Test_support
open Drover
open Stdlib

let scene name play = { Child.name; play }
let what = "the scene"
let hang f = Watchdog.guard ~seconds:0.5 what f

(* Calls in tail position would not be seen. *)

let[@inline never] await_for_ever () =
  await (fst (Promise.create ()) : unit Promise.t);
  ignore (Sys.opaque_identity 0 : int)

let[@inline never] compute_for_ever () =
  while true do
    ignore (Sys.opaque_identity (ref 0) : int ref)
  done

(* Awaits a task that calls [f] and has begun. *)
let begun_task f =
  let begun = Latch.create 1 in
  let call () =
    Latch.count_down begun;
    f ()
  in
  let task = Pool.async (Pool.create ~domains:2 ()) call in
  Latch.wait begun;
  task

let hang_in f () =
  let task = begun_task f in
  hang (fun () -> await task)

let waits = scene "waits" (hang_in await_for_ever)
let computes = scene "computes" (hang_in compute_for_ever)

(* As Alcotest does. *)
let redirected =
  scene "with its errors in a file" (fun () ->
      let file = Filename.temp_file "watchdog" ".err" in
      Unix.dup2 (Unix.openfile file [ O_WRONLY ] 0) Unix.stderr;
      Sys.remove file;
      prerr_endline "printed before";
      hang await_for_ever)

(* Nothing wakes the main thread, and nobody else comes to run a handler. *)
let blocked =
  scene "blocked" (fun () ->
      let mutex = Stdlib.Mutex.create () in
      Stdlib.Mutex.lock mutex;
      hang (fun () -> Domain.join (Domain.spawn (fun () -> Stdlib.Mutex.lock mutex))))

let has_child =
  scene "has a child" (fun () ->
      let sleep = Unix.create_process "sleep" [| "sleep"; "1000" |] in
      Printf.printf "%d\n%!" (sleep Unix.stdin Unix.stdout Unix.stderr);
      hang await_for_ever)

(* Without a guard; its errors go to a file. *)
let test_child =
  scene "a test program" (fun () ->
      let task = begun_task await_for_ever in
      Child.ready ();
      await task)

let has_test_child =
  scene "has a child that reports" (fun () ->
      let child = Child.start test_child in
      Child.until_ready child;
      hang (fun () -> ignore (Child.ending child : Child.ending)))

let check_says parts errors =
  let missing = List.filter (fun part -> not (Child.contains errors part)) parts in
  if missing <> [] then Alcotest.failf "%S is missing in: %s" (String.concat "; " missing) errors

let check parts (e : Child.ending) =
  check_says parts e.errors;
  Alcotest.(check bool) ("its end: " ^ e.errors) true (e.status = WSIGNALED Sys.sigkill)

let no_end = "watchdog: no end of: " ^ what

let ends ?(debug = "") scene parts =
  Watchdog.case scene.Child.name (fun () ->
      Unix.putenv "DROVER_DEBUG" debug;
      check (no_end :: parts) (Child.ending (Child.start scene)))

(* Of a process that nobody waits for any more, it may remain that it has been. *)
let is_gone pid =
  match Child.contents (Printf.sprintf "/proc/%d/stat" pid) with
  | stat -> Child.contains stat ") Z "
  | exception Sys_error _ -> true

let leaves_no_child () =
  let e = Child.ending (Child.start has_child) in
  check [ no_end ] e;
  let pid = int_of_string (String.trim e.output) in
  while not (is_gone pid) do
    Unix.sleepf 0.001
  done

let () =
  Child.main [ waits; computes; redirected; blocked; has_child; has_test_child; test_child ]
    (fun () ->
      Alcotest.run "unit watchdog"
        [
          ( "reports",
            [
              ends waits
                [
                  "the program hangs: thread 0 is at";
                  "pool-1, tasks from outside: 1, there is no work:\n  worker 0 ";
                  "\n  worker 1 ";
                  "DROVER_DEBUG=1 shows what waits for what";
                ];
              ends waits ~debug:"1" [ "these wait:"; "1x a task of pool-1 awaits a promise at" ];
              ends computes [ " runs a task"; " of pool-1 "; "Unit_watchdog.compute_for_ever" ];
              ends redirected
                [
                  "printed before";
                  "the program hangs: thread 0 is at";
                  "Unit_watchdog.await_for_ever";
                ];
              ends blocked [ " cannot report:\nprocess "; ", thread " ];
            ] );
          ( "children",
            [
              Watchdog.case "end, too" leaves_no_child;
              ends has_test_child [ "Child.ending"; "pool-1, tasks from outside: 1" ];
            ] );
        ])
