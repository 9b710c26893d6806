(* Failures that nobody awaits are reported once, and others never. *)

open Test_support
open Drover
open Stdlib

(* What is reported while [f] runs, and until its pool is closed. *)
let reports ?(domains = 2) f =
  let reported = Atomic.make [] in
  let rec report e backtrace =
    let before = Atomic.get reported in
    if not (Atomic.compare_and_set reported before ((e, backtrace) :: before)) then
      report e backtrace
  in
  Promise.on_unawaited_failure report;
  run ~domains (fun () -> f (fun () -> List.length (Atomic.get reported)));
  Gc.full_major ();
  List.map fst (Atomic.get reported)

let failures = Alcotest.testable (Fmt.of_to_string Printexc.to_string) ( = )
let expect what expected found = Alcotest.(check (list failures)) what expected found
let failing n = async (fun () -> Failing.raise_here n)

(* The task has failed for sure, and nobody has looked at it. *)
let rec until_settled p =
  if not (Promise.is_settled p) then begin
    await (async ignore);
    until_settled p
  end

let unawaited () =
  let kept = ref None in
  expect "one report" [ Failing.Failed 1 ]
    (reports (fun reported ->
         let p = failing 1 in
         kept := Some p;
         until_settled p;
         Alcotest.(check int) "not while it is reachable" 0 (reported ())));
  Alcotest.(check bool) "the promise is kept" true (Option.is_some !kept)

let several () =
  let found = reports (fun _ -> List.iter (fun n -> until_settled (failing n)) [ 1; 2; 3 ]) in
  expect "each once" (List.map (fun n -> Failing.Failed n) [ 1; 2; 3 ]) (List.sort compare found)

let awaited () =
  expect "no report" []
    (reports (fun _ ->
         Failing.check 1 (fun () -> await (failing 1));
         let p = failing 2 in
         until_settled p;
         Alcotest.(check bool) "peeked" true (Option.is_some (Promise.peek p))))

let succeeded () = expect "no report" [] (reports (fun _ -> ignore (async ignore : unit Promise.t)))
let[@inline never] fail_and_forget () = until_settled (failing 1)

(* Collected before the pool closes: the worker whose finaliser reports it may be off its core. *)
let collected () =
  expect "one report" [ Failing.Failed 1 ]
    (reports (fun reported ->
         fail_and_forget ();
         while reported () = 0 do
           Gc.full_major ();
           await (async ignore)
         done))

(* Settled by hand: whoever called [fail] knows. *)
let by_hand () =
  expect "no report" []
    (reports (fun _ ->
         let _, r = Promise.create () in
         Promise.fail r Exit))

let forks () =
  expect "no report" []
    (reports (fun _ ->
         Failing.check 1 (fun () -> both (fun () -> Failing.raise_here 1) ignore);
         Failing.check 2 (fun () -> all [ ignore; (fun () -> Failing.raise_here 2) ])))

let with_backtrace () =
  let named = Atomic.make false in
  Promise.on_unawaited_failure (fun e backtrace ->
      match Printexc.raise_with_backtrace e backtrace with
      | () -> ()
      | exception Failing.Failed 1 -> Atomic.set named (Failing.is_named ()));
  run ~domains:2 (fun () -> until_settled (failing 1));
  Alcotest.(check bool) "the backtrace names its origin" true (Atomic.get named)

(* A piece fails, and its failure cancels who waits between two other pieces: that is no reason to tell
   of the cancellation. *)

module Error_group = Drover_engine.Error_group

let between_pieces exn pieces () =
  let skipped = function Error_group.Skipped _ -> true | _ -> false in
  let run () =
    Error_group.run (fun g ->
        List.iter (fun f -> try Error_group.piece g f with exn when skipped exn -> ()) pieces;
        raise (Cancelled Exit))
  in
  Alcotest.check_raises "what it tells" exn run

let fails () = raise (Failing.Failed 1)

let () =
  Alcotest.run "unit failure"
    [
      ( "reported",
        [
          Watchdog.case "when the pool closes" unawaited;
          Watchdog.case "several" several;
          Watchdog.case "when it is collected" collected;
          Watchdog.case "with its backtrace" with_backtrace;
        ] );
      ( "not reported",
        [
          Watchdog.case "awaited" awaited;
          Watchdog.case "no failure" succeeded;
          Watchdog.case "settled by hand" by_hand;
          Watchdog.case "forks" forks;
        ] );
      ( "cancelled between pieces",
        [
          Watchdog.case "after a failure" (between_pieces (Failing.Failed 1) [ ignore; fails ]);
          Watchdog.case "of the caller" (between_pieces (Cancelled Exit) [ ignore; ignore ]);
        ] );
    ]
