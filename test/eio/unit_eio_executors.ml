(* The façade of Eio's Executor_pool: what programs that move from there rely on. *)

open Test_support
open In_eio

(* The same functions with the same types. *)

module _ : Interface.Executor_pool = Eio.Executor_pool
module _ : Interface.Executor_pool = Drover_eio.Executor_pool
module Executor_pool = Drover_eio.Executor_pool

let with_pool ?(domain_count = 2) env f =
  Eio.Switch.run (fun sw -> f sw (Executor_pool.create ~sw ~domain_count env#domain_mgr))

(* Counts the jobs inside, and holds them. *)
type gate = { inside : int Atomic.t; opened : unit Drover.Promise.t; open_ : unit -> unit }

let gate () =
  let opened, resolver = Drover.Promise.create () in
  { inside = Atomic.make 0; opened; open_ = (fun () -> Drover.Promise.fulfil resolver ()) }

let pass gate =
  Atomic.incr gate.inside;
  Drover.await gate.opened;
  Atomic.decr gate.inside

(* A while, in which nothing more begins. *)
let for_a_while () =
  for _ = 1 to 10 do
    Eio_unix.sleep 0.001
  done

(* Results *)

let results env =
  with_pool env (fun _ pool ->
      let squares =
        Eio.Fiber.List.map
          (fun i -> Executor_pool.submit_exn pool ~weight:1. (fun () -> i * i))
          (List.init 1000 Fun.id)
      in
      Alcotest.(check (list int)) "squares" (List.init 1000 (fun i -> i * i)) squares;
      let odd i = if i mod 2 = 0 then Failing.raise_here i else i in
      let result i = Executor_pool.submit pool ~weight:0.25 (fun () -> odd i) in
      let expected i = if i mod 2 = 0 then Error (Failing.Failed i) else Ok i in
      let numbers = List.init 5 Fun.id in
      check_bool "results" true (List.map expected numbers = Eio.Fiber.List.map result numbers);
      Failing.check 4 (fun () -> Executor_pool.submit_exn pool ~weight:1. (fun () -> odd 4)))

let domains env =
  with_pool env (fun _ pool ->
      let loop = Domain.self () in
      let elsewhere () =
        Executor_pool.submit_exn pool ~weight:0. (fun () -> Domain.self () <> loop)
      in
      let all = Eio.Fiber.List.map elsewhere (List.init 100 ignore) in
      check_bool "elsewhere" true (List.for_all Fun.id all);
      let sum () = Drover.parallel_reduce ~start:1 ~finish:100 ~init:0 ~combine:( + ) Fun.id in
      check_int "parallel inside" 5050 (Executor_pool.submit_exn pool ~weight:1. sum);
      let in_loop () = Drover_eio.in_loop (fun () -> Domain.self () = loop) in
      check_bool "in loop" true (Executor_pool.submit_exn pool ~weight:1. in_loop))

(* One that fails ends those of the same switch. *)
let failure_ends_the_switch env =
  with_pool ~domain_count:1 env (fun _ pool ->
      let begun = ref [] in
      let job i () =
        begun := i :: !begun;
        if i = 3 then Failing.raise_here 3
      in
      Failing.check 3 (fun () ->
          Eio.Fiber.List.iter
            (fun i -> Executor_pool.submit_exn pool ~weight:1. (job i))
            [ 1; 2; 3; 4; 5 ]);
      let first_three = List.filteri (fun i _ -> i < 3) (List.rev !begun) in
      Alcotest.(check (list int)) "in order" [ 1; 2; 3 ] first_three)

(* Weights *)

(* Of [jobs], which have these weights, the first [expected] run at a time. *)
let at_a_time ~domain_count weights expected env =
  with_pool ~domain_count env (fun sw pool ->
      let gate = gate () in
      let job weight = Executor_pool.submit_fork ~sw pool ~weight (fun () -> pass gate) in
      let jobs = List.map job weights in
      until (fun () -> Atomic.get gate.inside = expected);
      for_a_while ();
      check_int "inside" expected (Atomic.get gate.inside);
      gate.open_ ();
      List.iter Eio.Promise.await_exn jobs)

let misuse env =
  with_pool env (fun _ pool ->
      let misuse weight =
        Failing.misuse "Drover_eio.Executor_pool: weight" (fun () ->
            Executor_pool.submit pool ~weight ignore)
      in
      List.iter misuse [ -5.; 1.1; nan ]);
  Failing.misuse "" (fun () -> with_pool ~domain_count:0 env (fun _ _ -> ()))

(* [submit_exn] waits for room, and [submit_fork] does not. *)
let room env =
  with_pool ~domain_count:1 env (fun sw pool ->
      let gate = gate () in
      let first = Executor_pool.submit_fork ~sw pool ~weight:1. (fun () -> pass gate) in
      let second = Executor_pool.submit_fork ~sw pool ~weight:1. (fun () -> 2) in
      until (fun () -> Atomic.get gate.inside = 1);
      Eio.Fiber.both
        (fun () ->
          check_int "third" 3 (Executor_pool.submit_exn pool ~weight:1. (fun () -> 3));
          check_bool "in order" true (Eio.Promise.is_resolved second))
        (fun () ->
          for_a_while ();
          check_bool "it waits" false (Eio.Promise.is_resolved second);
          gate.open_ ());
      Eio.Promise.await_exn first;
      check_int "second" 2 (Eio.Promise.await_exn second))

(* Cancellation *)

(* The fiber goes on at once; a job that looks is cancelled, and one that never does makes room when
   it ends. *)
let cancelled env =
  with_pool ~domain_count:1 env (fun _ pool ->
      let started = Atomic.make false and go = Atomic.make false and ran = Atomic.make false in
      let submit f = Executor_pool.submit_exn pool ~weight:1. f in
      let job () =
        Atomic.set started true;
        while not (Atomic.get go) do
          Domain.cpu_relax ()
        done
      in
      Eio.Fiber.first (fun () -> submit job) (fun () -> until (fun () -> Atomic.get started));
      Eio.Fiber.first (fun () -> submit (fun () -> Atomic.set ran true)) Eio.Fiber.yield;
      check_int "in flight" 1 (Drover_eio.in_flight ());
      Atomic.set go true;
      check_int "the next" 1 (submit (fun () -> 1));
      check_bool "one that had not begun" false (Atomic.get ran);
      Atomic.set started false;
      Eio.Fiber.first
        (fun () -> submit (fun () -> In_eio.spin started))
        (fun () -> until (fun () -> Atomic.get started));
      check_int "the next" 2 (submit (fun () -> 2)))

(* A fiber that leaves hears nothing of the job any more, however soon that ends. *)
let left_behind env =
  with_pool ~domain_count:1 env (fun _ pool ->
      for _ = 1 to 300 do
        let started = Atomic.make false in
        let job () = try In_eio.spin started with Drover.Cancelled _ -> Failing.raise_here 9 in
        Eio.Fiber.first
          (fun () -> Executor_pool.submit_exn pool ~weight:1. job)
          (fun () ->
            while not (Atomic.get started) do
              Eio.Fiber.yield ()
            done)
      done)

(* When the switch fails, a job that runs is cancelled, and one that waits has a reply. *)
let failing_switch env =
  let started = Atomic.make false and ended = Atomic.make false and replies = ref [] in
  let scene () =
    with_pool ~domain_count:1 env (fun sw pool ->
        let submit f =
          let result = Executor_pool.submit pool ~weight:1. f in
          replies := result :: !replies
        in
        let protected f = Eio.Fiber.fork ~sw (fun () -> Eio.Cancel.protect (fun () -> submit f)) in
        protected (fun () ->
            Fun.protect (fun () -> In_eio.spin started) ~finally:(fun () -> Atomic.set ended true));
        protected ignore;
        until (fun () -> Atomic.get started);
        Eio.Switch.fail sw Exit)
  in
  (match scene () with () -> Alcotest.fail "it did not fail" | exception Exit -> ());
  check_bool "ended" true (Atomic.get ended);
  check_bool "replies" true
    (!replies = [ Error (Eio.Cancel.Cancelled Exit); Error (Eio.Cancel.Cancelled Exit) ])

let closed_switch env =
  let left = with_pool env (fun _ pool -> pool) in
  let misuse f = Failing.misuse "Drover_eio.Executor_pool: the pool's switch has ended" f in
  misuse (fun () -> Executor_pool.submit left ~weight:1. ignore);
  misuse (fun () -> Executor_pool.submit_exn left ~weight:1. ignore);
  Eio.Switch.run (fun sw ->
      misuse (fun () ->
          Eio.Promise.await_exn (Executor_pool.submit_fork ~sw left ~weight:1. ignore)));
  match
    Eio.Switch.run (fun sw ->
        Eio.Switch.fail sw Exit;
        Executor_pool.create ~sw ~domain_count:1 env#domain_mgr)
  with
  | _ -> Alcotest.fail "a switch that failed has a pool"
  | exception Exit -> ()

(* The switch ends while another loop's fibers have jobs: each has a reply. *)
let from_other_loops env =
  let pool_is_there, resolver = Eio.Promise.create () in
  let jobs = 200 and begun = Atomic.make false in
  let replies () =
    Eio.Domain_manager.run env#domain_mgr (fun () ->
        let pool = Eio.Promise.await pool_is_there in
        let job i =
          match
            Executor_pool.submit pool ~weight:0.5 (fun () ->
                Atomic.set begun true;
                Drover.sleep 0.;
                i)
          with
          | Ok j -> i = j
          | Error (Eio.Cancel.Cancelled _) -> true
          | Error _ -> false
          | exception Invalid_argument _ -> true
        in
        Eio.Fiber.List.map job (List.init jobs Fun.id))
  in
  let main () =
    with_pool env (fun _ pool ->
        Eio.Promise.resolve resolver pool;
        until (fun () -> Atomic.get begun))
  in
  let first, (second, ()) = Eio.Fiber.pair replies (fun () -> Eio.Fiber.pair replies main) in
  check_int "replies" (2 * jobs) (List.length (List.filter Fun.id (first @ second)))

(* More pools, one after the other, than there is room for domains. *)
let one_after_the_other env =
  for i = 1 to 200 do
    with_pool ~domain_count:1 env (fun _ pool ->
        check_int "value" i (Executor_pool.submit_exn pool ~weight:1. (fun () -> i)))
  done

let quarters n = List.init n (fun _ -> 0.25)

let () =
  Alcotest.run "unit eio executors"
    [
      ( "jobs",
        [
          case "results" results;
          case "domains" domains;
          case "a failure ends the switch" failure_ends_the_switch;
        ] );
      ( "weights",
        [
          case "two domains" (at_a_time ~domain_count:2 [ 1.; 1.; 1.; 1.; 1. ] 2);
          case "halves" (at_a_time ~domain_count:1 [ 0.5; 0.5; 0.5; 0.5; 0.5 ] 2);
          case "halves, two domains" (at_a_time ~domain_count:2 (List.init 5 (fun _ -> 0.5)) 4);
          case "quarters" (at_a_time ~domain_count:2 (quarters 10) 8);
          case "more than the limit" (at_a_time ~domain_count:1 [ 0.25; 0.5; 1.; 0. ] 3);
          case "none" (at_a_time ~domain_count:1 (List.init 50 (fun _ -> 0.)) 50);
          case "misuse" misuse;
          case "room" room;
        ] );
      ( "the end",
        [
          case "cancelled" cancelled;
          case "left behind" left_behind;
          case "a failing switch" failing_switch;
          case "a closed switch" closed_switch;
          case "from other loops" from_other_loops;
          case "one after the other" one_after_the_other;
        ] );
    ]
