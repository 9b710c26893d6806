(* Detached tasks: their results, failures, cancellation and number. *)

open Test_support
open Lwt.Syntax

(* A cancelled promise is settled before its task has ended. *)
let rec until_none_in_flight () =
  if Drover_lwt.in_flight () = 0 then Lwt.return_unit
  else Lwt.bind (Lwt_unix.sleep 0.001) until_none_in_flight

let case name f = Watchdog.case name (fun () -> Lwt_main.run (Lwt.bind (f ()) until_none_in_flight))
let check_int what expected found = Alcotest.(check int) what expected found
let on_loop = Domain.self ()

(* A gate that tasks wait at, in a domain of theirs. *)
let gate () =
  let promise, resolver = Drover.Promise.create () in
  ((fun () -> Drover.await promise), fun () -> Drover.Promise.fulfil resolver ())

let value () =
  let* n = Drover_lwt.detach (fun () -> 42) in
  check_int "value" 42 n;
  let* elsewhere = Drover_lwt.detach (fun () -> Domain.self () <> on_loop) in
  Alcotest.(check bool) "on a domain of its own" true elsewhere;
  let+ sum =
    Drover_lwt.detach (fun () ->
        Drover.parallel_reduce ~start:1 ~finish:1000 ~init:0 ~combine:( + ) Fun.id)
  in
  check_int "parallel inside" 500_500 sum

(* The loop itself never computes, however many tasks there are. *)
let never_on_the_loop () =
  let tasks = List.init 500 (fun _ -> Drover_lwt.detach Domain.self) in
  let+ domains = Lwt.all tasks in
  Alcotest.(check bool) "elsewhere" true (List.for_all (fun d -> d <> on_loop) domains)

let given_pool () =
  let p = Drover.Pool.create ~name:"given" ~domains:2 () in
  let* name = Drover_lwt.detach ~pool:p (fun () -> Drover.Pool.(Option.map name (current ()))) in
  Alcotest.(check (option string)) "pool" (Some "given") name;
  Drover.Pool.close p;
  Lwt.try_bind
    (fun () -> Drover_lwt.detach ~pool:p ignore)
    (fun () -> Alcotest.fail "a closed pool ran something")
    (function
      | Invalid_argument message ->
          Alcotest.(check string) "names detach" "Drover_lwt.detach: given is closed" message;
          Lwt.return_unit
      | exn -> Alcotest.failf "raised %s" (Printexc.to_string exn))

let failure () =
  Printexc.record_backtrace true;
  Lwt.catch
    (fun () -> Drover_lwt.detach (fun () -> Failing.raise_here 1))
    (function
      | Failing.Failed 1 ->
          Alcotest.(check bool) "backtrace" true (Failing.is_named ());
          Lwt.return_unit
      | exn -> Alcotest.failf "raised %s" (Printexc.to_string exn))

(* The exception that ends [Lwt_main.run] has the task's backtrace too. *)
let failure_of_all () =
  Printexc.record_backtrace true;
  Failing.check 2 (fun () -> Lwt_main.run (Drover_lwt.detach (fun () -> Failing.raise_here 2)))

let is_cancelled promise =
  Lwt.try_bind
    (fun () -> promise)
    (fun _ -> Lwt.return_false)
    (fun exn -> Lwt.return (exn = Lwt.Canceled))

(* In a pool of one domain, which is held. *)
let cancelled_before () =
  let pool = Drover.Pool.create ~domains:1 () in
  let holding = Atomic.make false and go = Atomic.make false in
  let hold () =
    Atomic.set holding true;
    while not (Atomic.get go) do
      Domain.cpu_relax ()
    done
  in
  let holder = Drover_lwt.detach ~pool hold in
  while not (Atomic.get holding) do
    Domain.cpu_relax ()
  done;
  let ran = Atomic.make 0 in
  let task () = Drover_lwt.detach ~pool (fun () -> Atomic.incr ran) in
  let unwanted = List.init 10 (fun _ -> task ()) in
  let wanted = List.init 10 (fun _ -> task ()) in
  List.iter Lwt.cancel unwanted;
  Atomic.set go true;
  let* cancelled = Lwt_list.for_all_s is_cancelled unwanted in
  Alcotest.(check bool) "promises" true cancelled;
  let+ () = Lwt.join (holder :: wanted) in
  Drover.Pool.close pool;
  check_int "ran" 10 (Atomic.get ran)

(* A task that waits for what never comes ends when its promise is cancelled. *)
let cancelled_while_it_waits () =
  let never, _ = Drover.Promise.create () in
  let started, at_start = Lwt.wait () in
  let ended, at_end = Lwt.wait () in
  let tell resolver = Drover_lwt.run_in_main (fun () -> Lwt.return (Lwt.wakeup resolver ())) in
  let task =
    Drover_lwt.detach (fun () ->
        try
          tell at_start;
          Drover.await never
        with Drover.Cancelled Lwt.Canceled as exn ->
          Drover.Scope.protect (fun () -> tell at_end);
          raise exn)
  in
  let* () = started in
  Lwt.cancel task;
  let* cancelled = is_cancelled task in
  Alcotest.(check bool) "promise" true cancelled;
  ended

(* A task that runs ends at the next place where it looks. *)
let cancelled_while_it_computes () =
  let started = Atomic.make false and stopped = Atomic.make false in
  let task =
    Drover_lwt.detach (fun () ->
        Atomic.set started true;
        try
          while true do
            Drover.Scope.check ()
          done
        with Drover.Cancelled _ as exn ->
          Atomic.set stopped true;
          raise exn)
  in
  let rec until flag =
    if Atomic.get flag then Lwt.return_unit
    else Lwt.bind (Lwt_unix.sleep 0.001) (fun () -> until flag)
  in
  let* () = until started in
  Lwt.cancel task;
  let* cancelled = is_cancelled task in
  Alcotest.(check bool) "promise" true cancelled;
  until stopped

(* Code that never looks; [case] waits for its end. *)

let spin started () =
  Atomic.set started true;
  while true do
    ignore (Sys.opaque_identity ())
  done

let interrupted () =
  let started = Atomic.make false in
  let task = Drover_lwt.detach (fun () -> Drover.Scope.interruptible (spin started)) in
  let rec until_started () =
    if Atomic.get started then Lwt.return_unit else Lwt.bind (Lwt_unix.sleep 0.001) until_started
  in
  let* () = until_started () in
  Lwt.cancel task;
  let+ cancelled = is_cancelled task in
  Alcotest.(check bool) "promise" true cancelled

let limited () =
  let eat () =
    let kept = ref [] in
    while true do
      kept := Bytes.make 100_000 ' ' :: !kept
    done
  in
  let failure f =
    Lwt.catch
      (fun () -> Lwt.map (fun () -> None) (Drover_lwt.detach f))
      Lwt.(fun e -> return_some e)
  in
  let* late = failure (fun () -> Drover.Scope.limited ~timeout:0.01 (spin (Atomic.make false))) in
  let+ large = failure (fun () -> Drover.Scope.limited ~heap:2_000_000 eat) in
  let is_large = match large with Some (Drover.Scope.Exceeded _) -> true | _ -> false in
  Alcotest.(check bool) "the time" true (late = Some Drover.Scope.Timeout);
  Alcotest.(check bool) "the memory" true is_large

(* What cancels a task from inside cancels its promise. *)
let cancelled_from_inside () =
  let task =
    Drover_lwt.detach (fun () ->
        Drover_bridge.canceller () Exit;
        Drover.Scope.check ())
  in
  let+ cancelled = is_cancelled task in
  Alcotest.(check bool) "promise" true cancelled

let picked () =
  let never, _ = Drover.Promise.create () in
  let+ n =
    Lwt.pick [ Drover_lwt.detach (fun () -> Drover.await never); Drover_lwt.detach (fun () -> 7) ]
  in
  check_int "first" 7 n

(* No more than the limit are in flight, and all run. *)
let bounded () =
  let before = Drover_lwt.max_in_flight () in
  Drover_lwt.set_max_in_flight 3;
  let inside = Atomic.make 0 and most = Atomic.make 0 in
  let rec raise_to n =
    let m = Atomic.get most in
    if n > m && not (Atomic.compare_and_set most m n) then raise_to n
  in
  let task () =
    raise_to (Atomic.fetch_and_add inside 1 + 1);
    Drover_lwt.run_in_main Lwt.pause;
    Atomic.decr inside
  in
  let tasks = List.init 100 (fun _ -> Drover_lwt.detach task) in
  check_int "in flight" 3 (Drover_lwt.in_flight ());
  let* () = Lwt.join tasks in
  check_int "none in flight" 0 (Drover_lwt.in_flight ());
  Alcotest.(check bool) "at most 3" true (Atomic.get most <= 3);
  Drover_lwt.set_max_in_flight before;
  Failing.misuse "Drover_lwt.set_max_in_flight: " (fun () -> Drover_lwt.set_max_in_flight 0);
  Lwt.return_unit

(* Nor does a task wait for room that its own caller takes: there are as many callers as may be in flight. *)
let nested () =
  let before = Drover_lwt.max_in_flight () in
  Drover_lwt.set_max_in_flight 3;
  let all, go = Lwt.wait () and arrived = ref 0 in
  let inner i () =
    incr arrived;
    if !arrived = 3 then Lwt.wakeup go ();
    let* () = all in
    Drover_lwt.detach (fun () -> i)
  in
  let tasks =
    List.init 3 (fun i -> Drover_lwt.detach (fun () -> Drover_lwt.run_in_main (inner i)))
  in
  let later = Drover_lwt.detach (fun () -> 3) in
  let* values = Lwt.all (tasks @ [ later ]) in
  Alcotest.(check (list int)) "values" [ 0; 1; 2; 3 ] values;
  (* What goes on when nobody waits for it any more stands in line like all. *)
  let left, leave = Lwt.wait () and wait, open_ = gate () in
  let late, tell = Lwt.wait () in
  let leave_behind () =
    Lwt.async (fun () ->
        let* () = left in
        let last = Drover_lwt.detach ignore in
        Lwt.wakeup tell (Lwt.is_sleeping last, Drover_lwt.in_flight ());
        last);
    Lwt.return_unit
  in
  let* () = Drover_lwt.detach (fun () -> Drover_lwt.run_in_main leave_behind) in
  let full = List.init 3 (fun _ -> Drover_lwt.detach wait) in
  Lwt.wakeup leave ();
  let* late = late in
  Alcotest.(check (pair bool int)) "in line" (true, 3) late;
  open_ ();
  let+ () = Lwt.join full in
  Drover_lwt.set_max_in_flight before

(* Those that wait for room are given up before they start; the others follow. *)
let cancelled_in_the_queue () =
  let before = Drover_lwt.max_in_flight () in
  Drover_lwt.set_max_in_flight 1;
  let ran = Atomic.make 0 in
  let wait, open_ = gate () in
  let first = Drover_lwt.detach wait in
  let task () = Drover_lwt.detach (fun () -> Atomic.incr ran) in
  let unwanted = List.init 1000 (fun _ -> task ()) in
  let last = task () in
  List.iter Lwt.cancel unwanted;
  open_ ();
  let* () = Lwt.join [ first; last ] in
  check_int "ran" 1 (Atomic.get ran);
  Drover_lwt.set_max_in_flight before;
  Lwt.return_unit

(* Who starts tasks faster than they end waits. *)
let started () =
  let before = Drover_lwt.max_in_flight () in
  Drover_lwt.set_max_in_flight 2;
  let ran = Atomic.make 0 in
  let wait, open_ = gate () in
  let task () =
    wait ();
    Atomic.incr ran
  in
  let* () = Drover_lwt.start task in
  let* () = Drover_lwt.start task in
  let third = Drover_lwt.start task in
  Alcotest.(check bool) "waits" true (Lwt.is_sleeping third);
  open_ ();
  let* () = third in
  let rec until_done () =
    if Atomic.get ran = 3 then Lwt.return_unit else Lwt.bind (Lwt.pause ()) until_done
  in
  let* () = until_done () in
  Drover_lwt.set_max_in_flight before;
  let caught, resolver = Lwt.wait () in
  let hook = !Lwt.async_exception_hook in
  Lwt.async_exception_hook := Lwt.wakeup resolver;
  let* () = Drover_lwt.start (fun () -> Failing.raise_here 4) in
  let+ exn = caught in
  Lwt.async_exception_hook := hook;
  Alcotest.(check bool) "its failure" true (exn = Failing.Failed 4)

(* The loop turns while tasks compute and while many results come. *)
let loop_goes_on () =
  let go = Atomic.make false in
  let task () =
    while not (Atomic.get go) do
      Domain.cpu_relax ()
    done
  in
  let tasks = List.init 8 (fun _ -> Drover_lwt.detach task) in
  let rec turns n =
    if n = 0 then Lwt.return_unit else Lwt.bind (Lwt_unix.sleep 0.0005) (fun () -> turns (n - 1))
  in
  let* () = turns 20 in
  Atomic.set go true;
  Lwt.join tasks

(* While a callback of the loop holds it, another thread cannot be the loop. *)
let wrong_thread () =
  let refused = Atomic.make false and go = Atomic.make false in
  let task () =
    while not (Atomic.get go) do
      Domain.cpu_relax ()
    done;
    match Drover_lwt.detach ignore with
    | (_ : unit Lwt.t) -> ()
    | exception Invalid_argument _ -> Atomic.set refused true
  in
  let task = Drover.async task in
  let* () = Lwt.pause () in
  Atomic.set go true;
  while not (Drover.Promise.is_settled task) do
    Domain.cpu_relax ()
  done;
  Alcotest.(check bool) "refused" true (Atomic.get refused);
  Lwt.return_unit

let () =
  Alcotest.run "unit lwt"
    [
      ( "detach",
        [
          case "value" value;
          case "never on the loop" never_on_the_loop;
          case "in a given pool" given_pool;
          case "failure" failure;
          Watchdog.case "failure of all" failure_of_all;
          case "the loop goes on" loop_goes_on;
          case "from another thread" wrong_thread;
        ] );
      ( "cancel",
        [
          case "before it starts" cancelled_before;
          case "while it waits" cancelled_while_it_waits;
          case "while it computes" cancelled_while_it_computes;
          case "where it never looks" interrupted;
          case "beyond its limits" limited;
          case "from inside" cancelled_from_inside;
          case "pick" picked;
        ] );
      ( "in flight",
        [
          case "bounded" bounded;
          case "nested" nested;
          case "cancelled in the queue" cancelled_in_the_queue;
          case "start" started;
        ] );
    ]
