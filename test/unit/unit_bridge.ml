(* What bridges to other schedulers need: to cancel a task from outside, and how a loop's domain feeds a
   pool. *)

open Test_support
open Drover
open Stdlib

exception Stop

(* From a thread that has nothing to do with the task. *)
let canceller () =
  let cancel, resolver = Promise.create () in
  let task () =
    Promise.fulfil resolver (Drover_bridge.canceller ());
    await (fst (Promise.create ()))
  in
  let task = async (fun () -> match task () with exception Cancelled Stop -> 1 | _ -> 2) in
  (await cancel) Stop;
  Stranger.expect "the reason" 1 (await task);
  (* Too late, and harmless. *)
  (await cancel) Stop

let on_each f () =
  f ();
  List.iter (fun domains -> run ~domains f) [ 1; 2; 4; 8 ]

let canceller_outside () = Failing.misuse "Drover_bridge.canceller: " Drover_bridge.canceller

let staffed () =
  let pool = Pool.create ~name:"given" ~domains:1 () in
  Drover_bridge.staff_for "Bridge.start" pool;
  let elsewhere () = Domain.self () in
  Alcotest.(check bool) "a domain of its own" true (Pool.run pool elsewhere <> Domain.self ());
  Pool.close pool;
  Failing.misuse "Bridge.start: given is closed" (fun () ->
      Drover_bridge.staff_for "Bridge.start" pool)

(* Ready or closed. *)
let select () =
  let out_of, into = Unix.pipe ~cloexec:true () in
  let expect what expected seconds =
    let is_as_expected = expected = Drover_bridge.select [ out_of ] [ into ] seconds in
    Stranger.expect what true is_as_expected
  in
  expect "empty" ([], [ into ]) infinity;
  Stranger.expect "in no time" ([], []) (Drover_bridge.select [ out_of ] [] 0.);
  ignore (Unix.write_substring into "x" 0 1 : int);
  expect "a byte" ([ out_of ], [ into ]) infinity;
  Unix.close into;
  expect "closed" ([ out_of ], [ into ]) infinity;
  Unix.close out_of

(* Such as that of an event loop. *)
let heap_grows () =
  let words () = (Gc.get ()).minor_heap_size in
  let grow () =
    let before = words () in
    Drover_bridge.adapt_minor_heap ();
    while words () = before do
      for _ = 1 to 1000 do
        ignore (Sys.opaque_identity (ref 0) : int ref)
      done
    done;
    Stranger.expect "larger" true (words () > before)
  in
  Stranger.domain grow ()

let () =
  Alcotest.run "unit bridge"
    [
      ( "canceller",
        [
          Watchdog.case "from outside" (on_each canceller);
          Watchdog.case "outside a task" canceller_outside;
        ] );
      ( "pools",
        [
          Watchdog.case "staffed" staffed;
          Watchdog.case ~seconds:300. "the minor heap of who feeds one" heap_grows;
        ] );
      ("descriptors", [ Watchdog.case "select" select ]);
    ]
