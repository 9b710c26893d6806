(* Tasks and threads that wait for the main loop. *)

open Test_support
open Lwt.Syntax

let case name f = Watchdog.case name (fun () -> Lwt_main.run (f ()))
let check_int what expected found = Alcotest.(check int) what expected found
let main = Thread.id (Thread.self ())
let in_main f = Drover_lwt.run_in_main f

let value () =
  let task () = in_main (fun () -> Lwt.return (Thread.id (Thread.self ()))) in
  let* thread = Drover_lwt.detach task in
  check_int "on the loop's thread" main thread;
  let promise, resolver = Lwt.wait () in
  let awaits = Drover_lwt.detach (fun () -> Drover_lwt.await promise) in
  let* () = Lwt.pause () in
  Lwt.wakeup resolver 42;
  let+ n = awaits in
  check_int "await" 42 n

(* Both where the function raises and where its promise is rejected. *)
let failures () =
  let* () =
    Drover_lwt.detach (fun () ->
        match in_main (fun () -> Failing.raise_here 1) with
        | () -> failwith "no failure"
        | exception Failing.Failed 1 -> Stranger.expect "backtrace" true (Failing.is_named ()))
  in
  let rejected () = in_main (fun () -> Lwt.bind (Lwt.pause ()) (fun () -> Lwt.fail Exit)) in
  Lwt.catch
    (fun () -> Drover_lwt.detach rejected)
    (function Exit -> Lwt.return_unit | exn -> Lwt.reraise exn)

(* Far more than there are workers, each of which needs the loop and the others to go on. *)
let many () =
  let n = 500 in
  let before = Drover_lwt.max_in_flight () in
  Drover_lwt.set_max_in_flight n;
  let arrived = ref 0 and all, resolver = Lwt.wait () in
  let task i () =
    in_main (fun () ->
        incr arrived;
        if !arrived = n then Lwt.wakeup resolver ();
        Lwt.map (fun () -> i) all)
  in
  let+ values = Lwt.all (List.init n (fun i -> Drover_lwt.detach (task i))) in
  Drover_lwt.set_max_in_flight before;
  Alcotest.(check (list int)) "each its own" (List.init n Fun.id) values

(* The quick one of two does not wake the slow one. *)
let two () =
  let slow, resolver = Lwt.wait () in
  let first = Drover_lwt.detach (fun () -> in_main (fun () -> slow)) in
  let* () = Lwt.pause () in
  let* quick = Drover_lwt.detach (fun () -> in_main (fun () -> Lwt.return "quick")) in
  Alcotest.(check bool) "the slow one waits" true (Lwt.is_sleeping first);
  Lwt.wakeup resolver "slow";
  let+ slow = first in
  Alcotest.(check (pair string string)) "values" ("quick", "slow") (quick, slow)

(* What has the loop detach tasks again. *)
let rec nested depth =
  if depth = 0 then 0 else 1 + in_main (fun () -> Drover_lwt.detach (fun () -> nested (depth - 1)))

let nesting () =
  let+ n = Drover_lwt.detach (fun () -> nested 100) in
  check_int "depth" 100 n

let from_elsewhere () =
  let value () = in_main (fun () -> Lwt.map (fun () -> 7) (Lwt.pause ())) in
  let finished = ref 0 and all, resolver = Lwt.wait () in
  let each (place : Place.t) () =
    let n = place.call value in
    in_main (fun () ->
        check_int place.name 7 n;
        incr finished;
        if !finished = List.length Place.few then Lwt.wakeup resolver ();
        Lwt.return_unit)
  in
  let threads = List.map (fun place -> Thread.create (each place) ()) Place.few in
  let* () = all in
  (* The last of them waits until the function that settled [all] has ended. *)
  let+ () = Lwt.pause () in
  List.iter Thread.join threads

let from_the_loop () =
  let+ () = Lwt.pause () in
  Failing.misuse "Drover_lwt.run_in_main: " (fun () -> in_main Lwt.return);
  Failing.misuse "Drover_lwt.await: " (fun () -> Drover_lwt.await Lwt.return_unit)

(* Whoever waits no more takes his promise with him. *)
let interrupted () =
  let cancelled, resolver = Lwt.wait () in
  let never () =
    let promise, _ = Lwt.task () in
    Lwt.on_cancel promise (Lwt.wakeup resolver);
    promise
  in
  let task () =
    match Drover.Scope.with_timeout 0.01 (fun () -> in_main never) with
    | () -> failwith "no timeout"
    | exception Drover.Scope.Timeout -> ()
  in
  (* Twice: the time may be up before the loop has called the function. *)
  let rec until_cancelled () =
    let* () = Drover_lwt.detach task in
    let* () = Lwt.pause () in
    if Lwt.is_sleeping cancelled then until_cancelled () else Lwt.return_unit
  in
  until_cancelled ()

(* A promise that cannot be cancelled, and stays open, keeps nothing of those that have waited for it. *)
let leaves_nothing () =
  let never, _ = Lwt.wait () in
  let impatient () =
    match Drover.Scope.with_timeout 0.001 (fun () -> Drover_lwt.await never) with
    | () -> failwith "no timeout"
    | exception Drover.Scope.Timeout -> ()
  in
  let round () =
    for _ = 1 to 50 do
      Lwt_main.run
        (Drover_lwt.detach (fun () -> Drover.all (List.init 20 (fun _ -> impatient)) |> ignore))
    done
  in
  Leak.check "live words" ~limit:5_000 Leak.live_words round

let no_loop f =
  match f () with
  | _ -> failwith "it has a value"
  | exception Failure message ->
      Stranger.expect message true (String.starts_with ~prefix:"Drover_lwt: " message)

(* The loop does not run: an error for every kind of caller. *)
let without_loop () =
  let tasks =
    List.init 10 (fun _ -> Drover.async (fun () -> no_loop (fun () -> in_main Lwt.return)))
  in
  no_loop (fun () -> in_main Lwt.return);
  List.iter Drover.await tasks

(* Who comes before the loop does is served, and who comes between two runs of it. *)
let before_the_loop () =
  for i = 1 to 3 do
    let done_, resolver = Lwt.wait () in
    let task () = in_main (fun () -> Lwt.return (Lwt.wakeup resolver i)) in
    let task = Drover.async task in
    check_int "value" i (Lwt_main.run done_);
    Drover.await task
  done

let at_exit_scene =
  {
    Child.name = "exit";
    play =
      (fun () ->
        let arrived, resolver = Lwt.wait () in
        let task () =
          in_main (fun () ->
              Lwt.wakeup resolver ();
              fst (Lwt.wait ()))
        in
        let report = function
          | Failure message -> print_endline message
          | exn -> print_endline (Printexc.to_string exn)
        in
        ignore
          (Drover.async (fun () -> try task () with exn -> report exn) : unit Drover.Promise.t);
        Lwt_main.run arrived);
  }

(* The program ends, and the task hears of it. *)
let at_exit () =
  let ending = Child.ending (Child.start at_exit_scene) in
  Alcotest.(check bool) "status" true (ending.status = Unix.WEXITED 0);
  Alcotest.(check bool) "message" true (String.starts_with ~prefix:"Drover_lwt: " ending.output)

(* After an exception has left [Lwt_main.run], in a callback as in a turn that waits. *)
let after_an_exception name end_the_loop =
  let say what = Printf.printf "%s\n%!" what in
  let fails f =
    match f () with
    | () -> say "returned"
    | exception Failure message when String.starts_with ~prefix:"Drover_lwt: " message ->
        say "failed"
    | exception exn -> say (Printexc.to_string exn)
  in
  let call () = in_main Lwt.return in
  let play () =
    (match end_the_loop () with () -> say "the loop returned" | exception _ -> ());
    let task = Drover.async call in
    fails (fun () -> Drover.await task);
    fails call;
    (* Another thread may run the loop from now on. *)
    Lwt.abandon_wakeups ();
    let serve () =
      say (Lwt_main.run (Drover_lwt.detach (fun () -> in_main (fun () -> Lwt.return "served"))))
    in
    Thread.join (Thread.create serve ())
  in
  { Child.name; play }

(* Wherever in our code on the loop an exception comes, as from the handler of a signal, and whether it leaves
   the loop or goes to Lwt's hook: each task ends, and with what it has computed or with that exception. *)
exception Struck

let struck () =
  let hook = !Lwt.async_exception_hook in
  (Lwt.async_exception_hook := function Struck -> () | exn -> hook exn);
  let law moment =
    let pause () = Lwt.map (fun () -> 3) (Lwt.pause ()) in
    let computed =
      List.map
        (fun f -> Drover_lwt.detach f)
        [ (fun () -> 1); (fun () -> in_main (fun () -> Lwt.return 2)); (fun () -> in_main pause) ]
    in
    let ended p = Lwt.catch (fun () -> Lwt.map ignore p) (fun _ -> Lwt.return_unit) in
    let run () = Lwt_main.run (Lwt.join (List.map ended computed)) in
    ignore (Interrupted.raising ~within:[ "Drover_lwt__" ] moment Struck run : unit option);
    run ();
    let is_known i p =
      match Lwt.state p with Lwt.Return v -> v = i + 1 | Fail exn -> exn = Struck | Sleep -> false
    in
    Alcotest.(check bool) "outcomes" true (List.for_all Fun.id (List.mapi is_known computed));
    check_int "in flight" 0 (Drover_lwt.in_flight ())
  in
  let moments = Interrupted.at_each law in
  Lwt.async_exception_hook := hook;
  Alcotest.(check bool) "there were moments" true (moments > 10)

let callback_scene =
  after_an_exception "callback" (fun () ->
      Lwt.async_exception_hook := raise;
      Lwt.async (fun () -> Lwt.bind (Lwt.pause ()) (fun () -> failwith "callback"));
      Lwt_main.run (fst (Lwt.wait ())))

let signal_scene =
  after_an_exception "signal" (fun () ->
      Sys.set_signal Sys.sigalrm (Signal_handle (fun _ -> raise Exit));
      ignore (Unix.setitimer ITIMER_REAL { it_value = 0.05; it_interval = 0. });
      Lwt_main.run (fst (Lwt.wait ())))

let dead_loop scene () =
  let ending = Child.ending (Child.start scene) in
  Alcotest.(check string) "output" "failed\nfailed\nserved\n" ending.output;
  Alcotest.(check bool) "status" true (ending.status = Unix.WEXITED 0)

(* A loop that is inside a callback for long does not stand still. *)
let long_callback () =
  let entered = Atomic.make false in
  let task =
    Drover.async (fun () ->
        while not (Atomic.get entered) do
          Domain.cpu_relax ()
        done;
        in_main (fun () -> Lwt.return 8))
  in
  let* () = Lwt.pause () in
  Atomic.set entered true;
  Unix.sleepf 4.;
  Drover.Promise.is_settled task |> Alcotest.(check bool) "it waits" false;
  let rec settled () =
    if Drover.Promise.is_settled task then Lwt.return_unit else Lwt.bind (Lwt.pause ()) settled
  in
  let+ () = settled () in
  check_int "value" 8 (Drover.await task)

let tests () =
  Alcotest.run "unit lwt waits"
    [
      ( "run in main",
        [
          case "value" value;
          case "failures" failures;
          case "many at a time" many;
          case "two at a time" two;
          case "nesting" nesting;
          case "from elsewhere" from_elsewhere;
          case "from the loop" from_the_loop;
          case "interrupted" interrupted;
          Watchdog.case "leaves nothing" leaves_nothing;
        ] );
      ( "no loop",
        [
          Watchdog.case "error" without_loop;
          Watchdog.case "before the loop" before_the_loop;
          Watchdog.case "at exit" at_exit;
          Watchdog.case "an exception in a callback" (dead_loop callback_scene);
          Watchdog.case "a signal's exception" (dead_loop signal_scene);
          Watchdog.case "an exception anywhere" struck;
          case "in a callback for long" long_callback;
        ] );
    ]

let () = Child.main [ at_exit_scene; callback_scene; signal_scene ] tests
