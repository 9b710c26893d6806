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

(* [try_fulfil] and [try_fail] say whether they settle it, and leave one alone that is settled. *)
let try_settle () =
  let fail r =
    try Failing.raise_here 5
    with e -> Promise.try_fail r ~backtrace:(Printexc.get_raw_backtrace ()) e
  in
  let check what expected found = Alcotest.(check bool) what expected found in
  let p, r = Promise.create () in
  check "fulfils" true (Promise.try_fulfil r 1);
  check "not twice" false (Promise.try_fulfil r 2);
  check "nor fails" false (fail r);
  Alcotest.(check int) "the first value stays" 1 (await p);
  Failing.misuse "Drover.Promise.fulfil: " (fun () -> Promise.fulfil r 4);
  let p, r = Promise.create () in
  check "fails" true (fail r);
  check "not twice" false (fail r);
  check "nor fulfils" false (Promise.try_fulfil r 1);
  Failing.check 5 (fun () -> await p)

(* From any place, and it resumes who waits. *)
let tried_from (place : Place.t) () =
  let p, r = Promise.create () in
  run ~domains:2 (fun () ->
      let waiting = async (fun () -> await p) in
      Alcotest.(check bool) "first" true (place.call (fun () -> Promise.try_fulfil r 7));
      Alcotest.(check bool) "second" false (place.call (fun () -> Promise.try_fail r Exit));
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

(* The documented order: a worker runs its latest task first, or else what its task awaits. *)
let order () =
  let ran = ref [] in
  let start p i =
    async (fun () ->
        ran := i :: !ran;
        if i = 0 then Promise.fulfil p ())
  in
  let check_order what await_all expected =
    ran := [];
    run ~domains:1 (fun () ->
        let all_ran, resolver = Promise.create () in
        await_all all_ran (List.init 5 (start resolver)));
    Alcotest.(check (list int)) what expected (List.rev !ran)
  in
  check_order "the latest first" (fun all_ran _ -> await all_ran) [ 4; 3; 2; 1; 0 ];
  check_order "as awaited" (fun _ tasks -> List.iter await tasks) [ 0; 1; 2; 3; 4 ];
  let third_first all_ran tasks =
    await (List.nth tasks 2);
    await all_ran
  in
  check_order "one, and the others" third_first [ 2; 4; 3; 1; 0 ]

(* A task that begins on top of the one that awaits it is a task of its own. *)

let names = Local.create "nobody"

let on_top () =
  run ~domains:1 (fun () ->
      let opened, opener = Promise.create () in
      let log = ref [] in
      let say what = log := what :: !log in
      let inner =
        async (fun () ->
            say "inner waits";
            await opened;
            say "inner ends";
            7)
      in
      let outer =
        async (fun () ->
            say "outer begins";
            let n = await inner in
            say "outer ends";
            n + 1)
      in
      let last =
        async (fun () ->
            say "last";
            Promise.fulfil opener ())
      in
      Alcotest.(check int) "value" 8 (await outer);
      await last;
      Alcotest.(check (list string))
        "both are suspended"
        [ "outer begins"; "inner waits"; "last"; "inner ends"; "outer ends" ]
        (List.rev !log))

let on_top_fails () =
  run ~domains:1 (fun () ->
      let task = async (fun () -> Failing.raise_here 3) in
      Failing.check 3 (fun () -> await task);
      Failing.check 3 (fun () -> await task))

let on_top_inherits () =
  run ~domains:1 (fun () ->
      let name () = Local.get names in
      let named = Local.with_value names "task" (fun () -> async name) in
      let inside () =
        let seen = await named in
        (seen, name ())
      in
      Alcotest.(check (pair string string))
        "its own and the caller's" ("task", "caller")
        (Local.with_value names "caller" inside);
      Alcotest.(check string) "nothing is left" "nobody" (name ()))

(* Who awaits can be cancelled while it waits, though the task goes on. *)
let in_reach () =
  run ~domains:2 (fun () ->
      let opened, opener = Promise.create () in
      let task = async (fun () -> await opened) in
      let waits () =
        Scope.run (fun scope ->
            ignore (Scope.async scope (fun () -> Scope.cancel scope Exit));
            await task)
      in
      (match waits () with () -> Alcotest.fail "must raise" | exception Exit -> ());
      Promise.fulfil opener ();
      await task)

(* A worker whose task awaits one new task after the other comes to what else there is. *)
let awaits_in_turn () =
  run ~domains:1 (fun () ->
      let ran = ref false in
      let other = async (fun () -> ran := true) in
      while not !ran do
        await (async ignore)
      done;
      await other)

(* Deeper than tasks may lie on top of each other. *)
let rec nested n = if n = 0 then 0 else 1 + await (async (fun () -> nested (n - 1)))

let deep domains () =
  run ~domains (fun () ->
      Alcotest.(check int) "levels" 100_000 (nested 100_000);
      let pairs = List.init 50 (fun i -> (i, async (fun () -> nested i))) in
      List.iter (fun (i, task) -> Alcotest.(check int) "levels" i (await task)) pairs)

(* Forks that are open when a task begins elsewhere, and one's own, stay apart. *)
let forks_on_top domains () =
  let rec fib n =
    if n < 2 then n
    else if n land 1 = 0 then
      let a, b = both (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
      a + b
    else
      let a = async (fun () -> fib (n - 1)) and b = async (fun () -> fib (n - 2)) in
      await a + await b
  in
  Alcotest.(check int) "fib" 17_711 (run ~domains (fun () -> fib 22))

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

(* A task that starts others and awaits them at once leaves a turn to what is older, and to what comes from
   outside. *)
let nobody_starves () =
  run ~domains:1 (fun () ->
      let is_done = Atomic.make false and pool = Option.get (Pool.current ()) in
      let until_done start =
        Atomic.set is_done false;
        start (fun () -> Atomic.set is_done true);
        while not (Atomic.get is_done) do
          await (async ignore)
        done
      in
      until_done (fun f -> ignore (async f : unit Promise.t));
      until_done (fun f ->
          let thread () = ignore (Pool.async pool f : unit Promise.t) in
          Thread.join (Thread.create thread ())))

(* Cells of a table that are computed when they are not there yet, in a pool of one domain: each once, as in
   a serial program. *)
let in_order () =
  let n = 60 and computed = ref 0 in
  let table = Array.make_matrix n n (-1) in
  let rec cell i j =
    if i < 0 || j < 0 then 1
    else begin
      if table.(i).(j) < 0 then begin
        incr computed;
        let above = async (fun () -> cell (i - 1) j)
        and before = async (fun () -> cell i (j - 1)) in
        table.(i).(j) <- (await above + await before) land 0xffff
      end;
      table.(i).(j)
    end
  in
  ignore (run ~domains:1 (fun () -> cell (n - 1) (n - 1)) : int);
  Alcotest.(check int) "computed" (n * n) !computed

let () =
  Alcotest.run "unit promise"
    [
      ( "settling",
        [
          Watchdog.case "with a value" settle_once;
          Watchdog.case "with a failure" settle_with_failure;
          Watchdog.case "if it is not" try_settle;
          Watchdog.case "a race" race_to_settle;
        ] );
      ("settled from", from_each settled_from);
      ("tried from", from_each tried_from);
      ("async from", from_each async_from);
      ( "tasks",
        [
          Watchdog.case "many waiters" many_waiters;
          Watchdog.case "order" order;
          Watchdog.case "on top of the waiter" on_top;
          Watchdog.case "fails on top" on_top_fails;
          Watchdog.case "local values on top" on_top_inherits;
          Watchdog.case "a waiter in reach" in_reach;
          Watchdog.case "awaits in turn" awaits_in_turn;
          Watchdog.case "nobody starves" nobody_starves;
          Watchdog.case "in the order of the program" in_order;
          Watchdog.case "deep, 1 domain" (deep 1);
          Watchdog.case "deep, 2 domains" (deep 2);
          Watchdog.case "forks on top, 1 domain" (forks_on_top 1);
          Watchdog.case "forks on top, 2 domains" (forks_on_top 2);
          Watchdog.case "async never waits" never_waits;
          Watchdog.case "a long chain" chain;
          Watchdog.case ~seconds:300. "a million suspended, 1 domain" (million_suspended 1);
          Watchdog.case ~seconds:300. "a million suspended, 2 domains" (million_suspended 2);
        ] );
    ]
