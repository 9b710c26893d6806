(* Semaphores. *)

open Test_support
open Drover
open Stdlib
module Semaphore = Drover.Semaphore

let counts () =
  let s = Semaphore.create 2 in
  Semaphore.acquire s;
  Alcotest.(check bool) "the second" true (Semaphore.try_acquire s);
  Alcotest.(check bool) "no third" false (Semaphore.try_acquire s);
  Alcotest.(check int) "none is free" 0 (Semaphore.free s);
  List.iter (fun () -> Semaphore.release s) [ (); (); () ];
  Alcotest.(check int) "three, with one more" 3 (Semaphore.free s);
  Failing.misuse "Drover.Semaphore.create: " (fun () -> Semaphore.create (-1))

let protects () =
  let s = Semaphore.create 1 in
  Alcotest.(check int) "value" 1 (Semaphore.protect s (fun () -> 1));
  Failing.check 2 (fun () -> Semaphore.protect s (fun () -> Failing.raise_here 2));
  Alcotest.(check int) "given back" 1 (Semaphore.free s)

(* Users in every place at once, some of which wait meanwhile. *)
let bounds n () =
  let s = Semaphore.create n and inside = Atomic.make 0 and most = Atomic.make 0 in
  let rec note k =
    let before = Atomic.get most in
    if k > before && not (Atomic.compare_and_set most before k) then note k
  in
  let body () =
    note (1 + Atomic.fetch_and_add inside 1);
    await (async ignore);
    Atomic.decr inside
  in
  let user (place : Place.t) =
    Stranger.thread (fun () ->
        place.call (fun () ->
            for _ = 1 to 50 do
              Semaphore.protect s body
            done))
  in
  let joins = List.map user Place.all in
  List.iter (fun join -> join ()) joins;
  Alcotest.(check bool) "never more" true (Atomic.get most <= n);
  Alcotest.(check int) "all given back" n (Semaphore.free s)

(* Tasks that are skipped give their permits back, and there are never more than permits. *)
let spawns domains () =
  run ~domains (fun () ->
      let room = Semaphore.create 2 and inside = Atomic.make 0 in
      for round = 1 to 50 do
        match
          Scope.run (fun s ->
              for i = 1 to 6 do
                Semaphore.spawn room s (fun () ->
                    if Atomic.fetch_and_add inside 1 >= 2 then failwith "more than permits";
                    Fun.protect ~finally:(fun () -> Atomic.decr inside) @@ fun () ->
                    await (async ignore);
                    if i = 1 + (round mod 6) then raise Exit)
              done)
        with
        | () -> Alcotest.fail "no failure"
        | exception Exit -> Alcotest.(check int) "all given back" 2 (Semaphore.free room)
      done;
      let over = Scope.run Fun.id in
      Failing.misuse "Drover.Semaphore.spawn: " (fun () -> Semaphore.spawn room over ignore);
      Alcotest.(check int) "also then" 2 (Semaphore.free room))

let in_order () =
  let s = Semaphore.create 0 and served = ref [] in
  run ~domains:1 (fun () ->
      let wait i =
        Begun.task (fun () ->
            Semaphore.acquire s;
            served := i :: !served)
      in
      let waiting = List.init 100 wait in
      let release i _ =
        Semaphore.release s;
        while List.length !served = i do
          await (async ignore)
        done
      in
      List.iteri release waiting;
      List.iter await waiting);
  Alcotest.(check (list int)) "in order" (List.init 100 Fun.id) (List.rev !served)

let many_wait domains () =
  let n = 100_000 in
  run ~domains (fun () ->
      let s = Semaphore.create 0 in
      let waiting = List.init n (fun _ -> async (fun () -> Semaphore.acquire s)) in
      for _ = 1 to n do
        Semaphore.release s
      done;
      List.iter await waiting;
      Alcotest.(check int) "all taken" 0 (Semaphore.free s))

let () =
  Alcotest.run "unit semaphore"
    [
      ( "semaphore",
        [
          Watchdog.case "counts" counts;
          Watchdog.case "protects" protects;
          Watchdog.case "at most 1" (bounds 1);
          Watchdog.case "at most 3" (bounds 3);
          Watchdog.case "spawns, 1 domain" (spawns 1);
          Watchdog.case "spawns, 4 domains" (spawns 4);
          Watchdog.case "in order" in_order;
          Watchdog.case "many wait, 1 domain" (many_wait 1);
          Watchdog.case "many wait, 2 domains" (many_wait 2);
        ] );
    ]
