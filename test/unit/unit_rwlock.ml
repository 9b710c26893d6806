(* Read-write locks. *)

open Test_support
open Drover
open Stdlib
module Rwlock = Drover.Rwlock

(* Lets all others come as far as they can, on one domain. *)
let settle () =
  for _ = 1 to 10 do
    sleep 0.
  done

(* A task that is within [hold l] until it is told to leave. *)
let holder hold l =
  let left, leave = Promise.create () in
  let task = Begun.task (fun () -> hold l (fun () -> await left)) in
  let release () =
    Promise.fulfil leave ();
    await task
  in
  release

let readers_together () =
  run ~domains:1 (fun () ->
      let l = Rwlock.create () in
      let releases = List.init 5 (fun _ -> holder Rwlock.read l) in
      Alcotest.(check int) "one more" 7 (Rwlock.read l (fun () -> 7));
      List.iter (fun release -> release ()) releases)

let excludes hold wait () =
  run ~domains:1 (fun () ->
      let l = Rwlock.create () in
      let release = holder hold l in
      let task = Begun.task (fun () -> wait l (fun () -> 7)) in
      settle ();
      Alcotest.(check bool) "waits" false (Promise.is_settled task);
      release ();
      Alcotest.(check int) "comes" 7 (await task))

(* Of those that come while a reader is inside, a writer goes before the reader behind it. *)
let in_order () =
  run ~domains:1 (fun () ->
      let l = Rwlock.create () and came = ref [] in
      let release = holder Rwlock.read l in
      let come name use = Begun.task (fun () -> use l (fun () -> came := name :: !came)) in
      let writer = come "writer" Rwlock.write in
      let reader = come "reader" Rwlock.read in
      settle ();
      Alcotest.(check (list string)) "both wait" [] !came;
      release ();
      await writer;
      await reader;
      Alcotest.(check (list string)) "in order" [ "reader"; "writer" ] !came)

(* A writer that gives up lets in the readers behind it. *)
let gives_up () =
  run ~domains:1 (fun () ->
      let l = Rwlock.create () in
      let release = holder Rwlock.read l in
      let writer =
        Begun.task (fun () ->
            match Scope.with_timeout 0.05 (fun () -> Rwlock.write l ignore) with
            | () -> Alcotest.fail "a writer beside a reader"
            | exception Scope.Timeout -> ())
      in
      let reader = Begun.task (fun () -> Rwlock.read l ignore) in
      await writer;
      await reader;
      release ();
      Rwlock.write l ignore)

let failures () =
  let l = Rwlock.create () in
  List.iter
    (fun (use : Rwlock.t -> (unit -> unit) -> unit) ->
      Failing.check 3 (fun () -> use l (fun () -> Failing.raise_here 3));
      Rwlock.write l ignore)
    [ Rwlock.read; Rwlock.write ]

(* Users in every place at once, some of which wait meanwhile. *)
let everywhere () =
  let l = Rwlock.create () and a = ref 0 and b = ref 0 in
  let torn = Atomic.make 0 and writes = Atomic.make 0 in
  let read () =
    let before = !a in
    await (async ignore);
    if !b <> before then Atomic.incr torn
  and write () =
    incr a;
    await (async ignore);
    incr b;
    Atomic.incr writes
  in
  let user (place : Place.t) =
    Stranger.thread (fun () ->
        place.call (fun () ->
            for i = 1 to 50 do
              if i mod 4 = 0 then Rwlock.write l write else Rwlock.read l read
            done))
  in
  List.iter (fun join -> join ()) (List.map user Place.all);
  Alcotest.(check int) "torn" 0 (Atomic.get torn);
  Alcotest.(check int) "no write is lost" (Atomic.get writes) !b

(* Readers that come all the time do not keep a writer out, nor writers a reader. *)
let not_for_ever many one domains () =
  run ~domains (fun () ->
      let l = Rwlock.create () and is_over = Atomic.make false in
      let rec again () =
        if not (Atomic.get is_over) then begin
          many l (fun () -> await (async ignore));
          again ()
        end
      in
      Scope.run (fun scope ->
          for _ = 1 to 8 do
            Scope.spawn scope again
          done;
          for _ = 1 to 100 do
            one l ignore
          done;
          Atomic.set is_over true))

let () =
  Alcotest.run "unit rwlock"
    [
      ( "rwlock",
        [
          Watchdog.case "readers together" readers_together;
          Watchdog.case "a writer keeps readers out" (excludes Rwlock.write Rwlock.read);
          Watchdog.case "a writer keeps writers out" (excludes Rwlock.write Rwlock.write);
          Watchdog.case "a reader keeps writers out" (excludes Rwlock.read Rwlock.write);
          Watchdog.case "in order" in_order;
          Watchdog.case "a writer that gives up" gives_up;
          Watchdog.case "failures" failures;
          Watchdog.case "everywhere" everywhere;
        ] );
      ( "not for ever",
        List.concat_map
          (fun domains ->
            let case name many one =
              Watchdog.case
                (Printf.sprintf "%s, %d domains" name domains)
                (not_for_ever many one domains)
            in
            [
              case "a writer among readers" Rwlock.read Rwlock.write;
              case "a reader among writers" Rwlock.write Rwlock.read;
            ])
          [ 1; 2; 4 ] );
    ]
