(* Latches and barriers. *)

open Test_support
open Drover
open Stdlib

let settle () = await (async ignore)

let latch_states () =
  let l = Latch.create 2 in
  Latch.count_down l;
  Alcotest.(check int) "one left" 1 (Latch.left l);
  Latch.count_down l;
  Latch.wait l;
  Latch.wait l;
  Failing.misuse "Drover.Latch.count_down: " (fun () -> Latch.count_down l);
  Latch.wait (Latch.create 0);
  Failing.misuse "Drover.Latch.create: " (fun () -> Latch.create (-1))

(* Nobody passes before the last count, then all do. *)
let latch_opens domains () =
  run ~domains (fun () ->
      let l = Latch.create 10 and passed = Atomic.make 0 in
      let wait _ =
        async (fun () ->
            Latch.wait l;
            Atomic.incr passed)
      in
      let waiting = List.init 10 wait in
      for _ = 1 to 9 do
        settle ();
        Latch.count_down l
      done;
      Alcotest.(check int) "nobody yet" 0 (Atomic.get passed);
      Latch.count_down l;
      List.iter await waiting)

let latch_everywhere () =
  let l = Latch.create (List.length Place.all) in
  let meet (place : Place.t) =
    Stranger.thread (fun () ->
        place.call (fun () ->
            Latch.count_down l;
            Latch.wait l))
  in
  List.iter (fun join -> join ()) (List.map meet Place.all)

(* In no round anybody is ahead of those who have not come. *)
let rounds b ~parties arrived n party =
  for round = 1 to n do
    Atomic.incr arrived;
    Barrier.wait b;
    let here = Atomic.get arrived in
    if here < round * parties then
      failwith (Printf.sprintf "party %d goes on in round %d with %d" party round here);
    Barrier.wait b
  done

let barrier parties domains () =
  let b = Barrier.create parties and arrived = Atomic.make 0 in
  run ~domains (fun () -> parallel_for ~start:1 ~finish:parties (rounds b ~parties arrived 200));
  Alcotest.(check int) "all rounds" (200 * parties) (Atomic.get arrived)

let barrier_everywhere () =
  let parties = List.length Place.all in
  let b = Barrier.create parties and arrived = Atomic.make 0 in
  let meet i (place : Place.t) =
    Stranger.thread (fun () -> place.call (fun () -> rounds b ~parties arrived 20 i))
  in
  List.iter (fun join -> join ()) (List.mapi meet Place.all)

exception Stop

(* A party whose wait is cancelled meets those who come later, or raises; never both. *)
let barrier_cancelled domains () =
  let b = Barrier.create 2 and alone = ref 0 in
  let party told raised () =
    Scope.run (fun s ->
        Promise.fulfil told s;
        try Barrier.wait b
        with Cancelled _ as exn ->
          raised := true;
          raise exn)
  in
  let once () =
    let scope, told = Promise.create () and raised = ref false in
    let first = Begun.task (fun () -> try party told raised () with Stop -> ()) in
    Scope.cancel (await scope) Stop;
    let second = Begun.task (fun () -> Barrier.wait b) in
    await first;
    if !raised then
      begin if Promise.is_settled second then incr alone else Barrier.wait b
      end;
    await second
  in
  run ~domains (fun () ->
      for _ = 1 to 300 do
        once ()
      done);
  Alcotest.(check int) "passed alone" 0 !alone

(* The last party is cancelled at any allocation of its wait: the same. *)
let last_is_cancelled () =
  let law moment =
    let b = Barrier.create 2 and raised = ref false in
    let last s =
      let cancel () = Scope.cancel s Stop in
      try Interrupted.at moment cancel (fun () -> Barrier.wait b)
      with Cancelled _ as exn ->
        raised := true;
        raise exn
    in
    run ~domains:1 (fun () ->
        let first = Begun.task (fun () -> Barrier.wait b) in
        (try Scope.run last with Stop -> ());
        if !raised then begin
          sleep 0.002;
          Alcotest.(check bool) "passed alone" false (Promise.is_settled first);
          Barrier.wait b
        end;
        await first)
  in
  Alcotest.(check bool) "it was tried" true (Interrupted.at_each law > 0)

let barrier_misuse () =
  Failing.misuse "Drover.Barrier.create: " (fun () -> Barrier.create 0);
  Barrier.wait (Barrier.create 1)

let () =
  Alcotest.run "unit meeting"
    [
      ( "latch",
        [
          Watchdog.case "states" latch_states;
          Watchdog.case "opens, 1 domain" (latch_opens 1);
          Watchdog.case "opens, 2 domains" (latch_opens 2);
          Watchdog.case "everywhere" latch_everywhere;
        ] );
      ( "barrier",
        [
          Watchdog.case "misuse" barrier_misuse;
          Watchdog.case "2 parties, 1 domain" (barrier 2 1);
          Watchdog.case "5 parties, 1 domain" (barrier 5 1);
          Watchdog.case "5 parties, 2 domains" (barrier 5 2);
          Watchdog.case "100 parties, 2 domains" (barrier 100 2);
          Watchdog.case "everywhere" barrier_everywhere;
          Watchdog.case "cancelled, 1 domain" (barrier_cancelled 1);
          Watchdog.case "cancelled, 2 domains" (barrier_cancelled 2);
          Watchdog.case "cancelled, the last" last_is_cancelled;
        ] );
    ]
