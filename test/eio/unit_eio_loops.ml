(* Tasks that have their fiber's loop do something. *)

open Test_support
open In_eio

let run f = Drover_eio.run f
let in_loop f = Drover_eio.in_loop f

let value _env =
  let loop = Domain.self () in
  check_bool "in the loop's domain" true (run (fun () -> in_loop (fun () -> Domain.self () = loop)));
  let promise, resolver = Eio.Promise.create () in
  Eio.Fiber.both
    (fun () -> check_int "await" 42 (run (fun () -> Drover_eio.await_in_loop promise)))
    (fun () -> Eio.Promise.resolve resolver 42);
  check_int "resolved" 42 (Drover.run (fun () -> Drover_eio.await_in_loop promise))

let variables _env =
  let key = Eio.Fiber.create_key () in
  Eio.Fiber.with_binding key 5 (fun () ->
      let found = run (fun () -> in_loop (fun () -> Eio.Fiber.get key)) in
      Alcotest.(check (option int)) "variable" (Some 5) found)

let failures _env =
  run (fun () ->
      match in_loop (fun () -> Failing.raise_here 1) with
      | () -> failwith "no failure"
      | exception Failing.Failed 1 -> Stranger.expect "backtrace" true (Failing.is_named ()));
  Failing.check 2 (fun () -> run (fun () -> in_loop (fun () -> Failing.raise_here 2)))

(* Far more than there are workers, each of which needs the loop and the others to go on. *)
let many _env =
  let n = 500 in
  let arrived = ref 0 and all, resolver = Eio.Promise.create () in
  let task i =
    in_loop (fun () ->
        incr arrived;
        if !arrived = n then Eio.Promise.resolve resolver ();
        Eio.Promise.await all;
        i)
  in
  let values = Eio.Fiber.List.map (fun i -> run (fun () -> task i)) (List.init n Fun.id) in
  Alcotest.(check (list int)) "fibers" (List.init n Fun.id) values;
  arrived := -n;
  let all_again, resolver_again = Eio.Promise.create () in
  let task i =
    in_loop (fun () ->
        incr arrived;
        if !arrived = 0 then Eio.Promise.resolve resolver_again ();
        Eio.Promise.await all_again;
        i)
  in
  let tasks () = List.map Drover.await (List.init n (fun i -> Drover.async (fun () -> task i))) in
  Alcotest.(check (list int)) "tasks of one fiber" (List.init n Fun.id) (run tasks)

(* The quick one of two does not wait for the slow one. *)
let two _env =
  let slow, resolver = Eio.Promise.create () in
  let quick () =
    let v = in_loop (fun () -> "quick") in
    in_loop (fun () -> Eio.Promise.resolve resolver "slow");
    v
  in
  let both () = Drover.both (fun () -> Drover_eio.await_in_loop slow) quick in
  Alcotest.(check (pair string string)) "values" ("slow", "quick") (run both)

let rec nested depth =
  if depth = 0 then 0 else 1 + in_loop (fun () -> run (fun () -> nested (depth - 1)))

let nesting _env = check_int "depth" 100 (run (fun () -> nested 100))

(* Whatever a task has started belongs to its fiber, in whatever pool. *)
let descendants _env =
  let pool = Drover.Pool.create ~domains:2 () in
  let sum () =
    let one () = in_loop (fun () -> 1) in
    let a, b = Drover.both one one in
    let c = Drover.await (Drover.async one) in
    let d = Drover.Pool.run pool one in
    let e = Drover.parallel_reduce ~start:1 ~finish:10 ~init:0 ~combine:( + ) (fun _ -> one ()) in
    a + b + c + d + e
  in
  check_int "sum" 14 (run sum);
  Drover.Pool.close pool

let misuse prefix f =
  match f () with
  | _ -> Stranger.expect "Invalid_argument" true false
  | exception Invalid_argument message ->
      Stranger.expect message true (String.starts_with ~prefix message)

(* Tasks and threads that belong to no fiber. *)
let elsewhere _env =
  let never, _ = Eio.Promise.create () in
  let both () =
    misuse "Drover_eio.in_loop: " (fun () -> in_loop ignore);
    misuse "Drover_eio.await_in_loop: " (fun () -> Drover_eio.await_in_loop never)
  in
  both ();
  Drover.run both;
  run (fun () -> Drover.blocking both);
  List.iter (fun (place : Place.t) -> place.call both) Place.few

(* The end *)

let no_fiber f =
  match f () with
  | _ -> failwith "it has a value"
  | exception Failure message ->
      Stranger.expect message true (String.starts_with ~prefix:"Drover_eio: " message)

(* Whether the fiber has gone on, or its loop has ended. *)
let too_late () =
  let go, resolver = Drover.Promise.create ()
  and after, resolver_after = Drover.Promise.create () in
  let left promise =
    Drover.async (fun () ->
        Drover.await promise;
        no_fiber (fun () -> in_loop ignore))
  in
  let first, second =
    Eio_main.run (fun _env ->
        let first, second = run (fun () -> (left go, left after)) in
        Drover.Promise.fulfil resolver ();
        Drover_eio.await first;
        (first, second))
  in
  Drover.Promise.fulfil resolver_after ();
  Drover.await first;
  Drover.await second

(* What was requested before the task ended is waited for. *)
let left_behind _env =
  let entered, resolver = Eio.Promise.create () and slow, slow_resolver = Eio.Promise.create () in
  let request () =
    in_loop (fun () ->
        Eio.Promise.resolve resolver ();
        Eio.Promise.await slow)
  in
  let has_returned = ref false in
  Eio.Fiber.both
    (fun () ->
      let rest =
        run (fun () ->
            let rest = Drover.async request in
            Drover_eio.await_in_loop entered;
            rest)
      in
      has_returned := true;
      Drover_eio.await rest)
    (fun () ->
      Eio.Promise.await entered;
      for _ = 1 to 20 do
        Eio_unix.sleep 0.0005
      done;
      check_bool "it waits" false !has_returned;
      Eio.Promise.resolve slow_resolver ())

(* Cancellation *)

(* A task that is cancelled takes the request's fiber with it, and waits for its end. *)
let interrupted _env =
  let cancelled = ref 0 in
  let never () =
    try Eio.Fiber.await_cancel ()
    with exn ->
      Eio.Cancel.protect (fun () -> Eio_unix.sleep 0.001);
      incr cancelled;
      raise exn
  in
  let task () =
    match Drover.Scope.with_timeout 0.01 (fun () -> in_loop never) with
    | () -> failwith "no timeout"
    | exception Drover.Scope.Timeout -> in_loop (fun () -> !cancelled)
  in
  (* Again: the time may be up before the request has come to the loop. *)
  let rec until_cancelled () = if run task = 0 then until_cancelled () in
  until_cancelled ()

let a_value_nevertheless _env =
  let f () = try Eio.Fiber.await_cancel () with Eio.Cancel.Cancelled _ -> 6 in
  let task () =
    let entered, resolver = Drover.Promise.create () in
    Drover.Scope.run (fun scope ->
        Drover.Scope.spawn scope (fun () ->
            Drover.await entered;
            Drover.Scope.cancel scope Exit);
        let v =
          in_loop (fun () ->
              Drover.Promise.fulfil resolver ();
              f ())
        in
        Stranger.expect "value" 6 v)
  in
  match run task with () -> Alcotest.fail "it was not cancelled" | exception Exit -> ()

(* Nobody calls what a cancelled task requests. *)
let no_more _env =
  let called = ref false in
  let task () =
    Drover_bridge.canceller () Exit;
    in_loop (fun () -> called := true)
  in
  (match run task with () -> Alcotest.fail "no exception" | exception Drover.Cancelled Exit -> ());
  check_bool "called" false !called

(* That of the fiber reaches both its task and the request's fiber. *)
let with_the_fiber _env =
  let entered, resolver = Eio.Promise.create () in
  let f () =
    Eio.Promise.resolve resolver ();
    Eio.Fiber.await_cancel ()
  in
  let ended = Atomic.make false in
  let task () = Fun.protect (fun () -> in_loop f) ~finally:(fun () -> Atomic.set ended true) in
  Eio.Fiber.first (fun () -> run task) (fun () -> Eio.Promise.await entered);
  check_bool "ended" true (Atomic.get ended)

(* A request that comes when the fiber is cancelled, as its first, is refused as cancelled. *)
let after_the_cancellation _env =
  let started = Atomic.make false and found = Atomic.make "nothing" in
  let task () =
    try spin started
    with Drover.Cancelled _ -> (
      match Drover.Scope.protect (fun () -> in_loop ignore) with
      | () -> Atomic.set found "a value"
      | exception Eio.Cancel.Cancelled _ -> Atomic.set found "cancelled")
  in
  Eio.Fiber.first (fun () -> run task) (fun () -> until (fun () -> Atomic.get started));
  Alcotest.(check string) "found" "cancelled" (Atomic.get found)

let () =
  Alcotest.run "unit eio loops"
    [
      ( "in loop",
        [
          case "value" value;
          case "variables" variables;
          case "failures" failures;
          case "many at a time" many;
          case "two at a time" two;
          case "nesting" nesting;
          case "descendants" descendants;
          case "elsewhere" elsewhere;
        ] );
      ("the end", [ Watchdog.case "too late" too_late; case "left behind" left_behind ]);
      ( "cancelled",
        [
          case "interrupted" interrupted;
          case "a value nevertheless" a_value_nevertheless;
          case "no more" no_more;
          case "with the fiber" with_the_fiber;
          case "after the cancellation" after_the_cancellation;
        ] );
    ]
