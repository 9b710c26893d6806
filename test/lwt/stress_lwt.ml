(* Many tasks that succeed, fail and are cancelled at random moments: none is lost, and nothing
   stays behind. DROVER_STRESS=full makes a million of them. *)

open Test_support
open Lwt.Syntax

let tasks = if Sys.getenv_opt "DROVER_STRESS" = Some "full" then 1_000_000 else 20_000

type tally = { mutable values : int; mutable failures : int; mutable cancelled : int }

let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)

(* What task [i] does, on its way to [i] or its failure. *)
let work random i () =
  (match random mod 5 with
  | 0 -> ignore (Sys.opaque_identity (fib (random mod 15)) : int)
  | 1 -> Drover_lwt.run_in_main Lwt.pause
  | 2 -> ignore (Drover.both (fun () -> fib 5) (fun () -> fib 6) : int * int)
  | 3 -> Drover.Scope.check ()
  | _ -> ());
  if random mod 7 = 0 then Failing.raise_here i else i

(* Cancels some tasks at once, and some in a while. *)
let see_off random promise =
  if random mod 11 = 0 then Lwt.cancel promise
  else if random mod 11 = 1 then
    Lwt.dont_wait
      (fun () -> Lwt.map (fun () -> Lwt.cancel promise) (Lwt.pause ()))
      (fun exn -> Alcotest.failf "cancel raised %s" (Printexc.to_string exn))

let check_outcome tally random i promise =
  let is_unwanted = random mod 11 < 2 and fails = random mod 7 = 0 in
  Lwt.try_bind
    (fun () -> promise)
    (fun n ->
      if n <> i || fails then Alcotest.failf "task %d has the value %d" i n;
      Lwt.return (tally.values <- tally.values + 1))
    (function
      | Failing.Failed n when n = i && fails -> Lwt.return (tally.failures <- tally.failures + 1)
      | Lwt.Canceled when is_unwanted -> Lwt.return (tally.cancelled <- tally.cancelled + 1)
      | exn -> Alcotest.failf "task %d raised %s" i (Printexc.to_string exn))

let one state tally i =
  let random = Random.State.bits state in
  let promise = Drover_lwt.detach (work random i) in
  see_off random promise;
  check_outcome tally random i promise

let rec drain () =
  if Drover_lwt.in_flight () > 0 then Lwt.bind (Lwt_unix.sleep 0.) drain else Lwt.return_unit

(* In waves of 2000: more than are in flight at a time. *)
let soak n =
  let state = Random.State.make [| 42 |] in
  let tally = { values = 0; failures = 0; cancelled = 0 } in
  let width = 2000 in
  let rec waves i =
    if i >= n then Lwt.return_unit
    else
      let* () = Lwt.join (List.init width (fun k -> one state tally (i + k))) in
      waves (i + width)
  in
  Lwt_main.run (Lwt.bind (waves 0) drain);
  Alcotest.(check int) "outcomes" n (tally.values + tally.failures + tally.cancelled);
  Alcotest.(check int) "in flight" 0 (Drover_lwt.in_flight ())

let none_is_lost () = soak tasks

(* The second half of the work leaves nothing that the first has not. *)
let leaks_nothing () =
  let soak () = soak 20_000 in
  soak ();
  Leak.check "words" ~limit:100_000 Leak.live_words soak

let () =
  Alcotest.run "stress lwt"
    [
      ( "soak",
        [
          Watchdog.case ~seconds:600.0 (Printf.sprintf "%d tasks" tasks) none_is_lost;
          Watchdog.case "memory" leaks_nothing;
        ] );
    ]
