(* Libraries that wait by domain-local-await suspend the task, not the worker. *)

open Test_support
open Drover
open Stdlib

let prepare = Domain_local_await.prepare_for_await

(* On one domain the second task runs only if the first has left the worker. *)
let suspends domains () =
  run ~domains (fun () ->
      let t, r = Promise.create () in
      let wait () =
        let trigger = prepare () in
        Promise.fulfil r trigger;
        trigger.await ();
        1
      and release () =
        let trigger = await t in
        trigger.release ();
        trigger.release ();
        2
      in
      Alcotest.(check (pair int int)) "both end" (1, 2) (both wait release))

let released_before () =
  run ~domains:1 (fun () ->
      let trigger = prepare () in
      trigger.release ();
      trigger.await ())

let released_from (place : Place.t) () =
  run ~domains:1 (fun () ->
      let trigger = prepare () in
      let waiting = async trigger.await in
      await (async ignore);
      place.call trigger.release;
      await waiting)

(* Outside a task the thread blocks: also beside a worker, in its domain. *)
let beside_a_task () =
  run ~domains:1 (fun () ->
      let t, r = Promise.create () in
      let wait () =
        let trigger = prepare () in
        Promise.fulfil r trigger;
        trigger.await ()
      in
      let thread = Thread.create wait () in
      let trigger = await t in
      trigger.release ();
      Thread.join thread)

let () =
  Alcotest.run "unit domain_local_await"
    [
      ( "await",
        [
          Watchdog.case "suspends, 1 domain" (suspends 1);
          Watchdog.case "suspends, 2 domains" (suspends 2);
          Watchdog.case "released before" released_before;
          Watchdog.case "beside a task" beside_a_task;
        ] );
      ( "released from",
        List.map (fun (p : Place.t) -> Watchdog.case p.name (released_from p)) Place.all );
    ]
