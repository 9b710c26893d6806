(* Semaphores. *)

open Test_support
open Drover
open Stdlib
module Semaphore = Drover.Semaphore

let counts_several () =
  let s = Semaphore.create 5 in
  Semaphore.acquire ~n:3 s;
  Alcotest.(check bool) "three more" false (Semaphore.try_acquire ~n:3 s);
  Alcotest.(check bool) "two more" true (Semaphore.try_acquire ~n:2 s);
  Alcotest.(check int) "none is free" 0 (Semaphore.free s);
  Semaphore.release ~n:7 s;
  Alcotest.(check int) "value" 1 (Semaphore.protect ~n:4 s (fun () -> Semaphore.free s - 2));
  Failing.check 2 (fun () -> Semaphore.protect ~n:4 s (fun () -> Failing.raise_here 2));
  Alcotest.(check int) "two new ones" 7 (Semaphore.free s)

(* As the standard library's. *)
let counting () =
  let module Counting = Semaphore.Counting in
  let s = Counting.make 1 in
  Counting.acquire s;
  Alcotest.(check bool) "none is free" false (Counting.try_acquire s);
  Counting.release s;
  Counting.release s;
  Alcotest.(check int) "two" 2 (Counting.get_value s)

let binary () =
  let module Binary = Semaphore.Binary in
  let s = Binary.make false in
  Alcotest.(check bool) "not free" false (Binary.try_acquire s);
  run ~domains:1 (fun () ->
      let waiter = Begun.task (fun () -> Binary.acquire s) in
      Binary.release s;
      await waiter);
  Alcotest.(check bool) "taken" false (Binary.try_acquire s);
  Binary.release s;
  Binary.release s;
  Alcotest.(check bool) "free" true (Binary.try_acquire s);
  Alcotest.(check bool) "once" false (Binary.try_acquire s)

let misuse () =
  Failing.misuse "Drover.Semaphore.create: " (fun () -> Semaphore.create (-1));
  let s = Semaphore.create 5 in
  let each caller use =
    List.iter
      (fun n -> Failing.misuse ("Drover.Semaphore." ^ caller ^ ": ") (fun () -> use n))
      [ 0; 6 ]
  in
  each "acquire" (fun n -> Semaphore.acquire ~n s);
  each "try_acquire" (fun n -> ignore (Semaphore.try_acquire ~n s : bool));
  each "protect" (fun n -> Semaphore.protect ~n s ignore);
  each "spawn" (fun n -> Scope.run (fun scope -> Semaphore.spawn ~n s scope ignore));
  Failing.misuse "Drover.Semaphore.release: " (fun () -> Semaphore.release ~n:0 s);
  Failing.misuse "Drover.Semaphore.release: " (fun () -> Semaphore.release ~n:(max_int - 4) s);
  Alcotest.(check int) "as before" 5 (Semaphore.free s);
  Semaphore.release ~n:(max_int - 5) s;
  Alcotest.(check int) "as many as can be" max_int (Semaphore.free s)

(* Permits gather for the first in line, and nobody takes them; then it is the next one's turn, also if it
   leaves. *)
let gathers () =
  run ~domains:1 (fun () ->
      let s = Semaphore.create 4 in
      let settle () =
        for _ = 1 to 10 do
          sleep 0.
        done
      in
      let round leave =
        Semaphore.acquire ~n:4 s;
        let leaver, leaves = Promise.create () in
        let large =
          Begun.task (fun () ->
              Scope.first [ (fun () -> Semaphore.acquire ~n:3 s); (fun () -> await leaver) ])
        in
        settle ();
        let small = Begun.task (fun () -> Semaphore.acquire s) in
        Semaphore.release ~n:2 s;
        settle ();
        Alcotest.(check bool) "not overtaken" false (Semaphore.try_acquire s);
        Alcotest.(check bool)
          "nobody has come" false
          (Promise.is_settled large || Promise.is_settled small);
        if leave then Promise.fulfil leaves () else Semaphore.release ~n:2 s;
        await large;
        await small;
        let left = if leave then 1 else 0 in
        Alcotest.(check int) "left" left (Semaphore.free s);
        Semaphore.release ~n:(4 - left) s
      in
      round false;
      round true)

(* Small requests that come all the time; each domain has some. *)
let not_for_ever domains () =
  run ~domains (fun () ->
      let s = Semaphore.create 3 and is_over = Atomic.make false in
      let rec small () =
        if not (Atomic.get is_over) then begin
          Semaphore.protect s (fun () -> await (async ignore));
          small ()
        end
      in
      Scope.run (fun scope ->
          for _ = 1 to 8 do
            Scope.spawn scope small
          done;
          for n = 1 to 300 do
            Semaphore.protect ~n:(1 + (n mod 3)) s ignore
          done;
          Atomic.set is_over true);
      Alcotest.(check int) "all given back" 3 (Semaphore.free s))

(* Users in every place at once, some of which wait meanwhile, and some of which take more. *)
let bounds ~largest n () =
  let s = Semaphore.create n and inside = Atomic.make 0 and most = Atomic.make 0 in
  let rec note k =
    let before = Atomic.get most in
    if k > before && not (Atomic.compare_and_set most before k) then note k
  in
  let body taken () =
    note (taken + Atomic.fetch_and_add inside taken);
    await (async ignore);
    ignore (Atomic.fetch_and_add inside (-taken) : int)
  in
  let user (place : Place.t) =
    Stranger.thread (fun () ->
        place.call (fun () ->
            for i = 1 to 50 do
              let n = 1 + (i mod largest) in
              Semaphore.protect ~n s (body n)
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
          Watchdog.case "Counting" counting;
          Watchdog.case "Binary" binary;
          Watchdog.case "counts several" counts_several;
          Watchdog.case "misuse" misuse;
          Watchdog.case "at most 1" (bounds ~largest:1 1);
          Watchdog.case "at most 3" (bounds ~largest:1 3);
          Watchdog.case "at most 4, by several" (bounds ~largest:4 4);
          Watchdog.case "permits gather" gathers;
          Watchdog.case "not overtaken for ever, 1 domain" (not_for_ever 1);
          Watchdog.case "not overtaken for ever, 4 domains" (not_for_ever 4);
          Watchdog.case "spawns, 1 domain" (spawns 1);
          Watchdog.case "spawns, 4 domains" (spawns 4);
          Watchdog.case "in order" in_order;
          Watchdog.case "many wait, 1 domain" (many_wait 1);
          Watchdog.case "many wait, 2 domains" (many_wait 2);
        ] );
    ]
