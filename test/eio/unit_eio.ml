(* Functions that run as tasks for fibers: their results and failures. *)

open Test_support
open In_eio

let value _env =
  let loop = Domain.self () in
  check_int "value" 42 (Drover_eio.run (fun () -> 42));
  check_bool "on another domain" true (Drover_eio.run (fun () -> Domain.self () <> loop));
  let sum () = Drover.parallel_reduce ~start:1 ~finish:1000 ~init:0 ~combine:( + ) Fun.id in
  check_int "parallel inside" 500_500 (Drover_eio.run sum)

(* The loop itself never computes, however many tasks there are. *)
let never_on_the_loop _env =
  let loop = Domain.self () in
  let task () = Drover_eio.run (fun () -> Domain.self () <> loop) in
  let elsewhere = Eio.Fiber.List.map task (List.init 500 ignore) in
  check_bool "elsewhere" true (List.for_all Fun.id elsewhere)

let given_pool _env =
  let pool = Drover.Pool.create ~name:"given" ~domains:2 () in
  let name () = Drover.Pool.(Option.map name (current ())) in
  Alcotest.(check (option string)) "pool" (Some "given") (Drover_eio.run ~pool name);
  Drover.Pool.close pool;
  let given = Drover.Promise.create () |> fst and chan = Drover.Chan.rendezvous () in
  let misused name f = Failing.misuse ("Drover_eio." ^ name ^ ": given is closed") f in
  misused "run" (fun () -> Drover_eio.run ~pool ignore);
  misused "await" (fun () -> Drover_eio.await ~pool given);
  misused "Chan.send" (fun () -> Drover_eio.Chan.send ~pool chan ());
  misused "Chan.recv" (fun () -> Drover_eio.Chan.recv ~pool chan)

(* There the functions for fibers are what they are of Drover's. *)
let in_a_task _env =
  let twice = Drover.Pool.create ~name:"other" ~domains:1 () in
  let name () = Drover.Pool.(Option.map name (current ())) in
  Drover_eio.run (fun () ->
      Drover.parallel_for ~start:1 ~finish:20 (fun i ->
          let n = Drover_eio.run (fun () -> Drover_eio.in_loop (fun () -> i)) in
          Stranger.expect "value" i n);
      Stranger.expect "in its own pool" (Some "default") (Drover_eio.run name);
      Stranger.expect "in another" (Some "other") (Drover_eio.run ~pool:twice name);
      Stranger.expect "await" 3 (Drover_eio.await (Drover.async (fun () -> 3)));
      let chan = Drover.Chan.rendezvous () in
      let (), v =
        Drover.both (fun () -> Drover_eio.Chan.send chan 4) (fun () -> Drover_eio.Chan.recv chan)
      in
      Stranger.expect "message" 4 v);
  Drover.Pool.close twice

(* A fiber of a loop that a task runs is one. *)
let in_a_loop_of_a_task _env =
  Drover_eio.run (fun () ->
      Eio_main.run (fun _env ->
          let a, b =
            Eio.Fiber.pair
              (fun () -> Drover_eio.run (fun () -> Drover_eio.in_loop (fun () -> 1)))
              (fun () -> Drover_eio.run (fun () -> 2))
          in
          Stranger.expect "values" (1, 2) (a, b)))

let names_the_way env =
  let message f =
    match Drover_eio.run f with
    | () -> Alcotest.fail "Eio's function has worked"
    | exception exn -> Printexc.to_string exn
  in
  let never, _ = Eio.Promise.create () in
  List.iter
    (fun f ->
      let message = message f in
      let hint = "Drover_eio.in_loop" in
      check_bool message true (String.ends_with ~suffix:hint message))
    [
      Eio.Fiber.yield;
      (fun () -> Eio.Promise.await never);
      (fun () -> Eio.Switch.run ignore);
      (fun () -> Eio.Time.sleep (Eio.Stdenv.clock env) 0.01);
      (fun () -> Eio.Flow.copy_string "text" (Eio.Stdenv.stderr env));
    ]

let failure _env =
  Failing.check 1 (fun () -> Drover_eio.run (fun () -> Failing.raise_here 1));
  let both () = Drover.both (fun () -> Failing.raise_here 2) ignore in
  Failing.check 2 (fun () -> Drover_eio.run both)

(* The loop turns while tasks compute. *)
let loop_goes_on _env =
  let turns = ref 0 in
  hold (fun () ->
      for _ = 1 to 20 do
        Eio_unix.sleep 0.0005;
        incr turns
      done);
  check_int "turns" 20 !turns

(* As many fibers as there may be wait at a time. *)
let many _env =
  let n = 10_000 in
  let arrived = Atomic.make 0 and all, resolver = Drover.Promise.create () in
  let task i =
    Drover_eio.run (fun () ->
        if Atomic.fetch_and_add arrived 1 = n - 1 then Drover.Promise.fulfil resolver ();
        Drover.await all;
        i)
  in
  let values = Eio.Fiber.List.map task (List.init n Fun.id) in
  Alcotest.(check (list int)) "each its own" (List.init n Fun.id) values

let in_flight _env =
  Eio.Switch.run (fun sw ->
      hold (fun () ->
          let held = Drover_eio.in_flight () in
          Eio.Fiber.fork ~sw (fun () -> Drover_eio.run ignore);
          check_int "one more" (held + 1) (Drover_eio.in_flight ())));
  check_int "none" 0 (Drover_eio.in_flight ())

(* Loops of several domains share a pool. *)
let several_loops env =
  let values loop =
    Eio.Domain_manager.run env#domain_mgr (fun () ->
        let here = Domain.self () in
        let task i =
          Drover_eio.run (fun () -> Drover_eio.in_loop (fun () -> (i, Domain.self () = here)))
        in
        Eio.Fiber.List.map task (List.init 200 (fun i -> (1000 * loop) + i)))
  in
  let all = Eio.Fiber.List.map values [ 1; 2; 3 ] in
  let expected loop = List.init 200 (fun i -> ((1000 * loop) + i, true)) in
  Alcotest.(check (list (list (pair int bool)))) "values" (List.map expected [ 1; 2; 3 ]) all

(* A promise of Drover's, in a fiber. *)

let await _env =
  check_int "settled" 1 (Drover_eio.await (Drover.Promise.of_value 1));
  let promise, resolver = Drover.Promise.create () in
  Eio.Fiber.both
    (fun () -> check_int "value" 2 (Drover_eio.await promise))
    (fun () -> Drover.Promise.fulfil resolver 2);
  let failed = Drover.async (fun () -> Failing.raise_here 3) in
  Failing.check 3 (fun () -> Drover_eio.await failed);
  Failing.check 3 (fun () -> Drover_eio.await failed)

(* Whoever waits no more leaves the promise alone. *)
let await_cancelled _env =
  let promise, resolver = Drover.Promise.create () in
  let first = Eio.Fiber.first (fun () -> Drover_eio.await promise) (fun () -> 1) in
  check_int "the other" 1 first;
  Drover.Promise.fulfil resolver 2;
  check_int "value" 2 (Drover_eio.await promise)

let () =
  Alcotest.run "unit eio"
    [
      ( "run",
        [
          case "value" value;
          case "never on the loop" never_on_the_loop;
          case "in a given pool" given_pool;
          case "failure" failure;
          case "in a task" in_a_task;
          case "in a loop of a task" in_a_loop_of_a_task;
          case "Eio in a task" names_the_way;
          case "the loop goes on" loop_goes_on;
          case "many at a time" many;
          case "in flight" in_flight;
          case "several loops" several_loops;
        ] );
      ("await", [ case "value" await; case "cancelled" await_cancelled ]);
    ]
