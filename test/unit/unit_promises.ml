(* What follows from promises. *)

open Test_support
open Drover
open Stdlib

let of_failure n =
  let p, r = Promise.create () in
  (try Failing.raise_here n with e -> Promise.fail r ~backtrace:(Printexc.get_raw_backtrace ()) e);
  p

let from (place : Place.t) () =
  place.call (fun () ->
      let p = Promise.map succ (async (fun () -> 1)) in
      let q = Promise.both p (Promise.of_value "q") in
      let all = Promise.all (List.init 10 (fun i -> Promise.map (( * ) i) p)) in
      Alcotest.(check (pair int string)) "both" (2, "q") (await q);
      Alcotest.(check (list int)) "all" (List.init 10 (( * ) 2)) (await all);
      Alcotest.(check int) "any" 2 (await (Promise.any [ of_failure 1; p ]));
      Failing.check 3 (fun () ->
          await (Promise.map ignore (async (fun () -> Failing.raise_here 3)))))

let ends () =
  Alcotest.(check (list int)) "all of none" [] (await (Promise.all []));
  Alcotest.(check bool) "at once" true (Promise.is_settled (Promise.all []));
  Failing.misuse "Drover.Promise.any: " (fun () -> Promise.any []);
  Alcotest.(check bool)
    "map, at once" true
    (Promise.is_settled (Promise.map succ (Promise.of_value 1)))

(* Before the others are settled, which may never be. *)
let failures () =
  let never = fst (Promise.create ()) in
  Failing.check 1 (fun () -> await (Promise.map succ (of_failure 1)));
  Failing.check 2 (fun () -> await (Promise.map Failing.raise_here (Promise.of_value 2)));
  Failing.check 3 (fun () -> await (Promise.both never (of_failure 3)));
  Failing.check 4 (fun () -> await (Promise.both (of_failure 4) never));
  Failing.check 5 (fun () -> await (Promise.all [ never; of_failure 5; never ]));
  Alcotest.(check int) "any" 6 (await (Promise.any [ never; of_failure 1; Promise.of_value 6 ]))

let all_fail () =
  let p, r = Promise.create () and q, s = Promise.create () in
  let any = Promise.any [ p; of_failure 1; q ] in
  Promise.fail s Exit;
  Alcotest.(check bool) "not yet" false (Promise.is_settled any);
  Promise.fail r Not_found;
  Failing.check 1 (fun () -> await any);
  match await any with
  | () -> Alcotest.fail "no failure"
  | exception e ->
      let names = List.map (fun (e, _) -> Printexc.to_string e) (Scope.suppressed e) in
      Alcotest.(check (list string)) "the others" [ "Stdlib.Exit"; "Not_found" ] names

(* [f] runs where the promise is settled; it has the local values of who called [map], and no
   cancellation reaches it. *)
let name = Local.create "nobody"

let where () =
  let p, r = Promise.create () in
  let seen () =
    Scope.check ();
    (Domain.self (), Local.get name)
  in
  let q = Local.with_value name "mapper" (fun () -> Promise.map seen p) in
  let settle scope =
    Scope.cancel scope Exit;
    let here = Domain.self () in
    Promise.fulfil r ();
    Alcotest.(check bool) "at once" true (Promise.is_settled q);
    let there, locals = await q in
    Alcotest.(check bool) "in the same domain" true (there = here);
    Alcotest.(check string) "local values" "mapper" locals;
    Alcotest.(check string) "its own again" "settler" (Local.get name)
  in
  let settler () = Local.with_value name "settler" (fun () -> Scope.run settle) in
  Alcotest.check_raises "its own again" Exit (fun () -> run ~domains:2 settler)

(* What nobody awaits is reported once, if it is nobody else's. *)
let reports () =
  let reported = Atomic.make [] in
  let report e _ = Atomic.set reported (Printexc.to_string e :: Atomic.get reported) in
  Promise.on_unawaited_failure report;
  let check what expected f =
    Atomic.set reported [];
    run ~domains:1 f;
    Alcotest.(check (list string)) what expected (Atomic.get reported)
  in
  let fails () = async (fun () -> raise Exit) in
  let settle p = try ignore (await p) with Exit | Not_found -> () in
  check "of f" [ "Not_found" ] (fun () ->
      let p = async ignore in
      ignore (Promise.map (fun () -> raise Not_found) p : unit Promise.t);
      await p);
  check "of what it follows from" [ "Stdlib.Exit" ] (fun () ->
      ignore (Promise.map ignore (fails ()) : unit Promise.t));
  check "awaited" [] (fun () -> settle (Promise.map ignore (fails ())));
  check "any" [] (fun () -> settle (Promise.any [ fails (); Promise.of_value () ]));
  check "any, when it has a value" [] (fun () ->
      let go, r = Promise.create () in
      let task =
        async (fun () ->
            await go;
            raise Exit)
      and mapped = Promise.map (fun () -> raise Exit) go in
      settle (Promise.any [ task; mapped; Promise.any [ task; mapped ]; Promise.of_value () ]);
      Promise.fulfil r ());
  check "both, when it has failed" [ "Stdlib.Exit" ] (fun () ->
      let go, r = Promise.create () in
      let task =
        async (fun () ->
            await go;
            raise Exit)
      in
      settle (Promise.map ignore (Promise.both task (fails ())));
      Promise.fulfil r ())

(* A promise that stays open keeps nothing of what was settled beside it, but for a few seats. *)

exception Kept of int ref

let beside_open =
  let fails p = match await p with _ -> Alcotest.fail "no failure" | exception Kept _ -> () in
  [
    ("any", fun never p _ -> ignore (await (Promise.any [ never; p; never ]) : int ref));
    ("any, the last", fun never p _ -> ignore (await (Promise.any [ p; never ]) : int ref));
    ("all", fun never p f -> fails (Promise.all [ never; p; f; never ]));
    ("all, the last", fun never p f -> fails (Promise.all [ f; never; p ]));
    ("both", fun never _ f -> fails (Promise.both never f));
    ("both, the other way round", fun never _ f -> fails (Promise.both f never));
  ]

let keeps_nothing combine domains () =
  let never = fst (Promise.create ()) and reach = Reach.create () in
  let watched () = Reach.watch reach (ref 0) in
  let round is_later =
    let p, give = Promise.create () and f, fail = Promise.create () in
    let settle () =
      Promise.fulfil give (watched ());
      Promise.fail fail (Kept (watched ()))
    in
    let settled = if is_later then async settle else Promise.of_value (settle ()) in
    combine never p f;
    await settled
  in
  let rounds n = run ~domains (fun () -> List.iter round (List.init n (fun i -> i land 1 = 0))) in
  rounds 10;
  let words = Obj.reachable_words (Obj.repr never) in
  rounds 1_000;
  Alcotest.(check bool) "size" true (Obj.reachable_words (Obj.repr never) < words + 200);
  (* The runtime keeps what was raised last. *)
  Alcotest.(check bool) "not reachable" true (Reach.remain reach ~most:4 <= 4)

let long_chain () =
  let n = 100_000 in
  let p, r = Promise.create () in
  let rec follow p i = if i = 0 then p else follow (Promise.map succ p) (i - 1) in
  let q = follow p n in
  run ~domains:2 (fun () -> Promise.fulfil r 0);
  Alcotest.(check int) "links" n (await q);
  let many = Promise.all (List.init n (fun i -> async (fun () -> i))) in
  Alcotest.(check int) "many" (n * (n - 1) / 2) (List.fold_left ( + ) 0 (await many))

(* The last of several that are settled at once. *)
let together domains () =
  run ~domains (fun () ->
      for _ = 1 to 2_000 do
        let all = List.init 4 (fun _ -> Promise.create ()) in
        let sum = Promise.map (List.fold_left ( + ) 0) (Promise.all (List.map fst all)) in
        List.iteri (fun i (_, r) -> ignore (async (fun () -> Promise.fulfil r i))) all;
        Alcotest.(check int) "sum" 6 (await sum)
      done)

let () =
  let from_each test = List.map (fun (p : Place.t) -> Watchdog.case p.name (test p)) Place.all in
  Alcotest.run "unit promises"
    [
      ("from", from_each from);
      ( "outcomes",
        [
          Watchdog.case "of none, or at once" ends;
          Watchdog.case "failures" failures;
          Watchdog.case "all fail" all_fail;
          Watchdog.case "reports" reports;
        ] );
      ( "settling",
        [
          Watchdog.case "where f runs" where;
          Watchdog.case "a long chain" long_chain;
          Watchdog.case "together, 1 domain" (together 1);
          Watchdog.case "together, 4 domains" (together 4);
        ] );
      ( "beside an open one",
        List.concat_map
          (fun (name, combine) ->
            List.map
              (fun domains ->
                Watchdog.case
                  (Printf.sprintf "%s, %d domains" name domains)
                  (keeps_nothing combine domains))
              [ 1; 2 ])
          beside_open );
    ]
