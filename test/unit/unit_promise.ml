(* Promises and asynchronous tasks. *)

open Test_support
open Drover
open Stdlib

let outcome = Alcotest.(option (result int reject))

let settle_once () =
  let p, r = Promise.create () in
  Alcotest.(check bool) "not settled" false (Promise.is_settled p);
  Alcotest.check outcome "nothing to see" None (Promise.peek p);
  Promise.fulfil r 1;
  Alcotest.(check bool) "settled" true (Promise.is_settled p);
  Alcotest.check outcome "the value" (Some (Ok 1)) (Promise.peek p);
  Failing.misuse "Drover.Promise.fulfil: " (fun () -> Promise.fulfil r 2);
  Failing.misuse "Drover.Promise.fail: " (fun () -> Promise.fail r Exit);
  Alcotest.(check int) "the first value stays" 1 (await p);
  Alcotest.(check int) "of_value" 2 (await (Promise.of_value 2));
  Alcotest.(check bool) "of_value is settled" true (Promise.is_settled (Promise.of_value 2))

let settle_with_failure () =
  let p, r = Promise.create () in
  (try Failing.raise_here 1 with e -> Promise.fail r ~backtrace:(Printexc.get_raw_backtrace ()) e);
  Failing.misuse "Drover.Promise.fail: " (fun () -> Promise.fail r Exit);
  Failing.misuse "Drover.Promise.fulfil: " (fun () -> Promise.fulfil r ());
  Failing.check 1 (fun () -> await p);
  Failing.check 1 (fun () -> await p);
  (match Promise.peek p with
  | Some (Error (Failing.Failed 1, _)) -> ()
  | Some _ | None -> Alcotest.fail "peek does not show the failure");
  let q, r = Promise.create () in
  Promise.fail r Exit;
  Alcotest.check_raises "without a backtrace" Exit (fun () -> await q)

let async_from (place : Place.t) () =
  place.call (fun () ->
      Alcotest.(check int) "value" 3 (await (async (fun () -> 3)));
      Failing.check 4 (fun () -> await (async (fun () -> Failing.raise_here 4)));
      let many = List.init 100 (fun i -> async (fun () -> i)) in
      Alcotest.(check (list int)) "many" (List.init 100 Fun.id) (List.map await many))

(* Waiters in every place, one value. *)
let many_waiters () =
  let p, r = Promise.create () in
  let wait (place : Place.t) = Stranger.thread (fun () -> place.call (fun () -> await p)) in
  let waiters = List.map wait Place.all in
  Thread.delay 0.05;
  Promise.fulfil r 7;
  List.iter (fun join -> Alcotest.(check int) "value" 7 (join ())) waiters

let settled_from (place : Place.t) () =
  let p, r = Promise.create () in
  run ~domains:2 (fun () ->
      let waiting = async (fun () -> await p) in
      place.call (fun () -> Promise.fulfil r 7);
      Alcotest.(check int) "value" 7 (await waiting))

(* Of several that settle, one wins, and everybody sees its value. *)
let race_to_settle () =
  run ~domains:4 (fun () ->
      for _ = 1 to 1000 do
        let p, r = Promise.create () in
        let settle i () =
          match Promise.fulfil r i with () -> Some i | exception Invalid_argument _ -> None
        in
        let settlers = List.init 4 (fun i -> async (settle i)) in
        let winners = List.filter_map await settlers in
        Alcotest.(check (list int)) "the one winner" [ await p ] winners
      done)

(* The documented order: a worker runs its latest task first. *)
let order () =
  let ran = ref [] in
  run ~domains:1 (fun () ->
      let tasks = List.init 5 (fun i -> async (fun () -> ran := i :: !ran)) in
      List.iter await tasks);
  Alcotest.(check (list int)) "the latest first" [ 4; 3; 2; 1; 0 ] (List.rev !ran)

let never_waits () =
  let ran = ref false in
  run ~domains:1 (fun () ->
      let p = async (fun () -> ran := true) in
      Alcotest.(check bool) "not run at once" false !ran;
      Alcotest.(check bool) "not settled" false (Promise.is_settled p);
      await p);
  Alcotest.(check bool) "run" true !ran

let million_suspended domains () =
  let n = 1_000_000 in
  let go, r = Promise.create () in
  let total =
    run ~domains (fun () ->
        let ran = Atomic.make 0 in
        let task _ =
          async (fun () ->
              await go;
              Atomic.incr ran)
        in
        let tasks = Array.init n task in
        Promise.fulfil r ();
        Array.iter await tasks;
        Atomic.get ran)
  in
  Alcotest.(check int) "tasks that ended" n total

let chain () =
  let n = 100_000 in
  run ~domains:2 (fun () ->
      let rec link p i = if i = 0 then p else link (async (fun () -> 1 + await p)) (i - 1) in
      Alcotest.(check int) "links" n (await (link (Promise.of_value 0) n)))

let from_each test = List.map (fun (p : Place.t) -> Watchdog.case p.name (test p)) Place.all

let () =
  Alcotest.run "unit promise"
    [
      ( "settling",
        [
          Watchdog.case "with a value" settle_once;
          Watchdog.case "with a failure" settle_with_failure;
          Watchdog.case "a race" race_to_settle;
        ] );
      ("settled from", from_each settled_from);
      ("async from", from_each async_from);
      ( "tasks",
        [
          Watchdog.case "many waiters" many_waiters;
          Watchdog.case "order" order;
          Watchdog.case "async never waits" never_waits;
          Watchdog.case "a long chain" chain;
          Watchdog.case "a million suspended, 1 domain" (million_suspended 1);
          Watchdog.case "a million suspended, 2 domains" (million_suspended 2);
        ] );
    ]
