(* Many fibers whose tasks succeed, fail and are cancelled at random moments: none is lost, and
   nothing stays behind. DROVER_STRESS=full makes a million of them. *)

open Test_support

let is_full = Sys.getenv_opt "DROVER_STRESS" = Some "full"
let tasks = if is_full then 1_000_000 else 20_000
let fibers = if is_full then 100_000 else 10_000

type tally = { mutable values : int; mutable failures : int; mutable cancelled : int }

let tally () = { values = 0; failures = 0; cancelled = 0 }
let total t = t.values + t.failures + t.cancelled
let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)

(* What task [i] does, on its way to [i] or its failure. *)
let work random i () =
  (match random mod 7 with
  | 0 -> ignore (Sys.opaque_identity (fib (random mod 15)) : int)
  | 1 -> Drover_eio.in_loop Eio.Fiber.yield
  | 2 -> ignore (Drover.both (fun () -> fib 5) (fun () -> fib 6) : int * int)
  | 3 -> Drover.Scope.check ()
  | 4 -> Drover.sleep 0.
  | 5 -> Drover_eio.in_loop (fun () -> Drover_eio.run ignore)
  | _ -> ());
  if random mod 5 = 0 then Failing.raise_here i else i

let is_wanted random = random mod 11 > 2

(* Cancels some at once, some in a while, and some when their task has a request in progress. *)
let see_off random context =
  match random mod 11 with
  | 0 -> Eio.Cancel.cancel context Exit
  | 1 ->
      Eio.Fiber.yield ();
      Eio.Cancel.cancel context Exit
  | 2 ->
      Eio_unix.sleep (float (random mod 100) *. 1e-5);
      Eio.Cancel.cancel context Exit
  | _ -> ()

let cancelled_at_random random f =
  Eio.Cancel.sub (fun context ->
      Eio.Switch.run (fun sw ->
          let value = Eio.Fiber.fork_promise ~sw f in
          Eio.Cancel.protect (fun () -> see_off random context);
          Eio.Cancel.protect (fun () -> Eio.Promise.await_exn value)))

let one random tally run i =
  match cancelled_at_random random (fun () -> run (work random i)) with
  | n when n = i && random mod 5 > 0 -> tally.values <- tally.values + 1
  | n -> Alcotest.failf "task %d has the value %d" i n
  | exception Failing.Failed n when n = i && random mod 5 = 0 ->
      tally.failures <- tally.failures + 1
  | exception Eio.Cancel.Cancelled Exit when not (is_wanted random) ->
      tally.cancelled <- tally.cancelled + 1
  | exception exn -> Alcotest.failf "task %d raised %s" i (Printexc.to_string exn)

let until_none_in_flight () =
  while Drover_eio.in_flight () > 0 do
    Eio_unix.sleep 0.001
  done

let storm ?max_fibers ~run n =
  let state = Random.State.make [| 42 |] in
  let tally = tally () in
  let numbers = List.init n (fun i -> (i, Random.State.bits state)) in
  Eio.Fiber.List.iter ?max_fibers (fun (i, random) -> one random tally run i) numbers;
  until_none_in_flight ();
  Alcotest.(check int) "outcomes" n (total tally);
  Alcotest.(check bool)
    "some of each kind" true
    (tally.values > 0 && tally.failures > 0 && tally.cancelled > 0)

let in_loop f () = Eio_main.run f

(* All at the same time. *)
let all_at_once = in_loop (fun _ -> storm fibers ~run:(fun f -> Drover_eio.run f))
let soak = in_loop (fun _ -> storm tasks ~max_fibers:2000 ~run:(fun f -> Drover_eio.run f))

let executors =
  in_loop (fun env ->
      Eio.Switch.run (fun sw ->
          let pool = Drover_eio.Executor_pool.create ~sw ~domain_count:2 env#domain_mgr in
          storm (tasks / 10) ~max_fibers:2000 ~run:(fun f ->
              Drover_eio.Executor_pool.submit_exn pool ~weight:0.1 f)))

(* The second half of the work leaves nothing that the first has not. *)
let leaks_nothing () =
  let soak = in_loop (fun _ -> storm 20_000 ~max_fibers:2000 ~run:(fun f -> Drover_eio.run f)) in
  soak ();
  Leak.check "words" ~limit:100_000 Leak.live_words soak

let () =
  Alcotest.run "stress eio"
    [
      ( "storm",
        [
          Watchdog.case ~seconds:600.0 (Printf.sprintf "%d fibers at a time" fibers) all_at_once;
          Watchdog.case ~seconds:600.0 (Printf.sprintf "%d tasks" tasks) soak;
          Watchdog.case ~seconds:600.0 "executors" executors;
          Watchdog.case "memory" leaks_nothing;
        ] );
    ]
