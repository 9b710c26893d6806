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
  Failing.misuse "" (fun () -> Drover_eio.run ~pool ignore)

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
          case "the loop goes on" loop_goes_on;
          case "many at a time" many;
          case "in flight" in_flight;
          case "several loops" several_loops;
        ] );
      ("await", [ case "value" await; case "cancelled" await_cancelled ]);
    ]
