(* Batches: each operation is applied once, by one batch at a time, before its submitter goes on. *)

open Test_support
open Drover
open Stdlib

type op = { number : int; mutable result : (int, exn) result option }

let op number = { number; result = None }
let numbers ops = List.map (fun op -> op.number) (Array.to_list ops)
let succeed op = op.result <- Some (Ok op.number)
let is_done op = Option.is_some op.result

(* A log of the batches, in order. *)
let logged ?max ?applied run =
  let log = ref [] in
  let batch =
    Batch.create ?max ?applied (fun ops ->
        log := numbers ops :: !log;
        run ops)
  in
  (batch, fun () -> List.rev !log)

let batches = Alcotest.(list (list int))

let alone () =
  let thread = ref (-1) in
  let batch, log =
    logged (fun ops ->
        thread := Thread.id (Thread.self ());
        Array.iter succeed ops)
  in
  let submit n =
    let op = op n in
    Batch.submit batch op;
    Alcotest.(check bool) "applied" true (is_done op);
    Alcotest.(check int) "by its caller" (Thread.id (Thread.self ())) !thread
  in
  submit 1;
  run ~domains:2 (fun () -> submit 2);
  submit 3;
  Alcotest.check batches "batches of one" [ [ 1 ]; [ 2 ]; [ 3 ] ] (log ())

(* Operation 0 keeps its batch until the gate opens; by then the operations 1 .. n are queued, in
   this order. One domain runs its tasks in a known order: the latest first. Returns how each of
   them ended. *)
let behind_gate batch gate n =
  run ~domains:1 (fun () ->
      let opened, opener = Promise.create () in
      (gate := fun () -> await opened);
      let submit i () =
        match Batch.submit batch (op i) with () -> Ok i | exception e -> Error e
      in
      let last = async (fun () -> Promise.fulfil opener ()) in
      let later = List.rev (List.init n (fun i -> async (submit (n - i)))) in
      let first = async (submit 0) in
      await opened;
      await last;
      List.map await (first :: later))

let gated ?max ?applied run =
  let gate = ref ignore in
  let batch, log =
    logged ?max ?applied (fun ops ->
        if Array.exists (fun op -> op.number = 0) ops then !gate ();
        run ops)
  in
  ((fun n -> behind_gate batch gate n), log)

let outcome = Alcotest.(result int (testable Fmt.exn ( = )))
let outcomes = Alcotest.list outcome
let upto n = List.init (n + 1) Fun.id

let together () =
  let submit, log = gated (Array.iter succeed) in
  Alcotest.check outcomes "outcomes" (List.map Result.ok (upto 5)) (submit 5);
  Alcotest.check batches "all that came meanwhile" [ [ 0 ]; [ 1; 2; 3; 4; 5 ] ] (log ())

(* With what is queued when a batch starts, an operation knows how many batches are before it. *)
let capped () =
  let submit, log = gated ~max:3 (Array.iter succeed) in
  Alcotest.check outcomes "outcomes" (List.map Result.ok (upto 8)) (submit 8);
  Alcotest.check batches "at most three" [ [ 0 ]; [ 1; 2; 3 ]; [ 4; 5; 6 ]; [ 7; 8 ] ] (log ())

let failing () =
  let submit, log =
    gated ~max:3 (fun ops -> if Array.exists (fun op -> op.number = 2) ops then raise Exit)
  in
  let expected i = if i >= 1 && i <= 3 then Error Exit else Ok i in
  Alcotest.check outcomes "one batch failed" (List.map expected (upto 8)) (submit 8);
  Alcotest.check batches "the others ran" [ [ 0 ]; [ 1; 2; 3 ]; [ 4; 5; 6 ]; [ 7; 8 ] ] (log ())

let failing_in_the_middle () =
  let run op = if op.number = 3 then raise Exit else succeed op in
  let submit, _ = gated ~applied:is_done (Array.iter run) in
  let expected i = if i >= 3 then Error Exit else Ok i in
  Alcotest.check outcomes "those without result" (List.map expected (upto 5)) (submit 5)

let failing_alone () =
  let run op = op.result <- Some (if op.number = 2 then Error Exit else Ok op.number) in
  let batch = Batch.create (Array.iter run) in
  let get n =
    let op = op n in
    Batch.submit batch op;
    Option.get op.result
  in
  Alcotest.check outcomes "one failed" [ Ok 1; Error Exit; Ok 3 ] (List.map get [ 1; 2; 3 ])

let backtrace () =
  let batch = Batch.create (fun _ -> Failing.raise_here 4) in
  Failing.check 4 (fun () -> Batch.submit batch (op 1));
  run ~domains:1 (fun () ->
      let slow =
        Batch.create (fun _ ->
            await (async ignore);
            Failing.raise_here 5)
      in
      let submit i () = Failing.check 5 (fun () -> Batch.submit slow (op i)) in
      List.iter await (List.init 10 (fun i -> async (submit i))))

(* When all have their result, nobody can be told but the function for such failures. *)
let failing_afterwards () =
  let batch =
    Batch.create ~applied:is_done (fun ops ->
        Array.iter succeed ops;
        raise Exit)
  in
  let told = ref [] in
  Promise.on_unawaited_failure (fun exn _ -> told := exn :: !told);
  Batch.submit batch (op 1);
  Alcotest.(check int) "reported" 1 (List.length !told)

let sum_of_squares domains () =
  let total = ref 0 and running = Atomic.make 0 and applied = ref 0 in
  let n = 2000 in
  let run ops =
    Stranger.expect "batches at a time" 0 (Atomic.fetch_and_add running 1);
    let square i = ops.(i).number * ops.(i).number in
    let finish = Stdlib.Array.length ops - 1 in
    total := !total + parallel_reduce ~start:0 ~finish ~init:0 ~combine:( + ) square;
    applied := !applied + finish + 1;
    Stdlib.Array.iter succeed ops;
    Atomic.decr running
  in
  Drover.run ~domains (fun () ->
      let batch = Batch.create ~max:100 run in
      parallel_for ~start:1 ~finish:n (fun i ->
          let op = op i in
          Batch.submit batch op;
          Stranger.expect "applied before submit returns" true (is_done op)));
  Alcotest.(check int) "each once" n !applied;
  Alcotest.(check int) "sum" (n * (n + 1) * ((2 * n) + 1) / 6) !total

let everywhere () =
  let total = ref 0 in
  let batch =
    Batch.create (fun ops ->
        total := !total + Stdlib.Array.fold_left (fun n op -> n + op.number) 0 ops)
  in
  let submit (place : Place.t) =
    Stranger.thread (fun () ->
        place.call (fun () ->
            for _ = 1 to 20 do
              Batch.submit batch (op 1)
            done))
  in
  let joins = List.map submit Place.all in
  List.iter (fun join -> join ()) joins;
  Alcotest.(check int) "sum" (20 * List.length Place.all) !total

let closed_pool () =
  let pool = Pool.create ~domains:2 () in
  let applied = ref 0 in
  let slow ops =
    Thread.delay 0.001;
    applied := !applied + Stdlib.Array.length ops
  in
  let batch = Batch.create ~pool slow in
  Pool.close pool;
  let submit _ = Stranger.thread (fun () -> Batch.submit batch (op 1)) in
  List.iter (fun join -> join ()) (List.init 10 submit);
  Alcotest.(check int) "applied" 10 !applied

(* From inside the batch function it would wait for itself. *)
let from_inside () =
  let misuse batch = Failing.misuse "Drover.Batch.submit: " (fun () -> Batch.submit batch (op 2)) in
  let check where call =
    let batch = ref None in
    let run ops =
      if ops.(0).number = 1 then where (fun () -> misuse (Option.get !batch));
      Array.iter succeed ops
    in
    batch := Some (Batch.create run);
    call (fun () -> Batch.submit (Option.get !batch) (op 1))
  in
  let directly f = f () in
  let in_task f = await (async f) in
  let in_fork f = ignore (both ignore f) in
  check directly directly;
  List.iter
    (fun domains ->
      List.iter (fun where -> check where (run ~domains)) [ directly; in_task; in_fork ])
    [ 1; 2 ]

(* The batch of an object that is part of another's. *)
let from_far_inside () =
  let outer = ref None in
  let submit_outer () = Batch.submit (Option.get !outer) (op 9) in
  let inner = Batch.create (fun _ -> Failing.misuse "Drover.Batch.submit: " submit_outer) in
  outer := Some (Batch.create (fun _ -> Batch.submit inner (op 1)));
  run ~domains:2 (fun () -> Batch.submit (Option.get !outer) (op 1))

(* What [one] applies needs no batch: it says which operations these are. *)
let one_by_one () =
  let log = ref [] in
  let by name o =
    log := (name, o.number) :: !log;
    succeed o
  in
  let one o =
    if o.number < 0 then raise (Failing.Failed o.number);
    let is_even = o.number land 1 = 0 in
    if is_even then by "one" o;
    is_even
  in
  let batch = Batch.create ~one (Array.iter (by "run")) in
  let submit n = Batch.submit batch (op n) in
  submit 2;
  run ~domains:2 (fun () -> submit 3);
  Alcotest.check_raises "fails alone" (Failing.Failed (-1)) (fun () -> submit (-1));
  run ~domains:1 (fun () -> submit 4);
  Alcotest.(check (list (pair string int)))
    "who applied what"
    [ ("one", 2); ("run", 3); ("one", 4) ]
    (List.rev !log);
  let m = Batch.metrics batch in
  Alcotest.(check int) "operations" 4 m.operations

let one_from_inside () =
  let batch = ref None in
  let inside () = Batch.submit (Option.get !batch) () in
  let one () =
    Failing.misuse "Drover.Batch.submit: " inside;
    true
  in
  batch := Some (Batch.create ~one ignore);
  inside ();
  run ~domains:2 inside

(* Each is applied once, by one at a time, whoever it is: as many as went in come out. *)
let one_among_many () =
  let total = ref 0 and is_busy = ref false in
  let add n =
    if !is_busy then Alcotest.fail "two at a time";
    is_busy := true;
    total := !total + n;
    is_busy := false
  in
  let one n =
    let is_small = n < 90 in
    if is_small then add n;
    is_small
  in
  let batch = Batch.create ~max:8 ~one (Array.iter add) in
  let submit_all () =
    parallel_for ~start:1 ~finish:20_000 (fun i -> Batch.submit batch (i mod 100))
  in
  List.iter
    (fun domains ->
      total := 0;
      let threads = List.init 2 (fun _ -> Thread.create submit_all ()) in
      run ~domains submit_all;
      List.iter Thread.join threads;
      Alcotest.(check int) "total" (3 * 200 * 4950) !total)
    [ 1; 2; 4; 8 ]

(* One domain: the operations 1 .. 3 are queued behind the gate when their scope is cancelled. *)
let cancelled_waiting () =
  run ~domains:1 (fun () ->
      let opened, opener = Promise.create () in
      let seen = ref [] in
      let batch =
        Batch.create (fun ops ->
            if ops.(0).number = 0 then await opened;
            seen := !seen @ numbers ops;
            Array.iter succeed ops)
      in
      let first = async (fun () -> Batch.submit batch (op 0)) in
      let ops = List.init 3 (fun i -> op (i + 1)) in
      let ended = ref 0 in
      let submit o () =
        Batch.submit batch o;
        incr ended;
        Scope.check ()
      in
      let scope () =
        Scope.run (fun scope ->
            List.iter (fun o -> ignore (Scope.async scope (submit o))) ops;
            await (async ignore);
            await (async (fun () -> Promise.fulfil opener ()));
            raise Exit)
      in
      (match scope () with () -> Alcotest.fail "must raise" | exception Exit -> ());
      await first;
      Alcotest.(check int)
        "returned are those applied" !ended
        (List.length (List.filter is_done ops));
      Batch.submit batch (op 4);
      Alcotest.(check bool) "the object goes on" true (List.mem 4 !seen))

(* The caller is cancelled; the batch function, which looks, is not. *)
let cancelled_caller () =
  let applied = ref 0 and cancel = ref ignore in
  let batch =
    Batch.create (fun _ ->
        !cancel ();
        Scope.check ();
        await (async ignore);
        let (), () = both ignore Scope.check in
        incr applied)
  in
  run ~domains:2 (fun () ->
      match
        Scope.run (fun scope ->
            (cancel := fun () -> Scope.cancel scope Exit);
            Batch.submit batch (op 1);
            Scope.check ())
      with
      | () -> Alcotest.fail "must raise"
      | exception Exit -> ());
  Alcotest.(check int) "applied" 1 !applied

(* Who is cancelled before does not submit. *)
let cancelled_before () =
  let applied = ref 0 in
  let batch = Batch.create (fun _ -> incr applied) in
  run ~domains:1 (fun () ->
      match
        Scope.run (fun scope ->
            Scope.cancel scope Exit;
            Batch.submit batch (op 1))
      with
      | () -> Alcotest.fail "must raise"
      | exception Exit -> ());
  Alcotest.(check int) "applied" 0 !applied

(* Each batch is one operation. What may cancel the second, and cancels the fourth, is for no other. *)
let cancelled_batch () =
  let cancel = ref ignore in
  let step number =
    if number = 2 then cancel := Drover_bridge.canceller ();
    if number = 3 then !cancel Exit;
    if number = 4 then Drover_bridge.canceller () Exit;
    Scope.check ();
    let (), () = both ignore Scope.check in
    ()
  in
  let submit, log = gated ~max:1 (Array.iter (fun op -> step op.number)) in
  let expected i = if i = 4 then Error (Cancelled Exit) else Ok i in
  Alcotest.check outcomes "one is cancelled" (List.map expected (upto 7)) (submit 7);
  Alcotest.check batches "each ran" (List.map (fun i -> [ i ]) (upto 7)) (log ());
  Alcotest.check outcomes "and runs again" (List.map expected (upto 7)) (submit 7)

let measured () =
  let total m = Array.fold_left ( + ) 0 m.Batch.sizes in
  let gate = ref ignore in
  let batch = Batch.create ~max:4 (fun ops -> if ops.(0).number = 0 then !gate ()) in
  let before = Batch.metrics batch in
  Alcotest.(check int) "none yet" 0 (before.batches + before.operations + total before);
  ignore (behind_gate batch gate 6 : (int, exn) result list);
  let m = Batch.metrics batch in
  Alcotest.(check int) "operations" 7 m.operations;
  Alcotest.(check int) "batches" 3 m.batches;
  Alcotest.(check (list int)) "sizes" [ 1; 1; 1 ] (Array.to_list (Array.sub m.sizes 0 3))

(* What one domain does, the batches and the tasks [100] .. [102], when a gate opens behind which the
   operations 1 .. 5 are queued: too many for the next submitter to take along. *)
let in_order () =
  let log = ref [] in
  run ~domains:1 (fun () ->
      let opened, opener = Promise.create () in
      let batch =
        Batch.create (fun ops ->
            log := numbers ops :: !log;
            if ops.(0).number = 0 then await opened)
      in
      let submit i () = Batch.submit batch (op i) in
      let others = List.init 3 (fun i -> async (fun () -> log := [ 102 - i ] :: !log)) in
      let last = async (fun () -> Promise.fulfil opener ()) in
      let queued = List.init 5 (fun i -> async (submit (5 - i))) in
      let first = async (submit 0) in
      await opened;
      List.iter await ((last :: first :: List.rev others) @ queued));
  List.rev !log

(* Threads keep the one worker's object busy: a task of the pool has its turn all the same. A batch
   lasts a millisecond or more. *)
let other_work () =
  let pool = Pool.create ~domains:1 () in
  Pool.staff pool;
  let batches = Atomic.make 0 and has_begun = Atomic.make false in
  let batch =
    Batch.create ~pool ~max:2 (fun _ ->
        Atomic.incr batches;
        Thread.delay 0.001)
  in
  let going () = Atomic.get batches < 2000 && not (Atomic.get has_begun) in
  let submit _ =
    Stranger.thread (fun () ->
        while going () do
          Batch.submit batch (op 1)
        done)
  in
  let joins = List.init 20 submit in
  while Atomic.get batches < 20 do
    Thread.yield ()
  done;
  let task = Pool.async pool (fun () -> Atomic.set has_begun true) in
  List.iter (fun join -> join ()) joins;
  Alcotest.(check bool) "begins among batches" true (Atomic.get batches < 2000);
  await task;
  Pool.close pool

let others = [ [ 100 ]; [ 101 ]; [ 102 ] ]

let at_once () =
  Alcotest.check batches "before other work" ([ [ 0 ]; [ 1; 2; 3; 4; 5 ] ] @ others) (in_order ())

let misuse () =
  Failing.misuse "Drover.Batch.create: " (fun () -> Batch.create ~max:0 (fun (_ : op array) -> ()))

let () =
  Alcotest.run "unit batch"
    [
      ( "batches",
        [
          Watchdog.case "alone" alone;
          Watchdog.case "together" together;
          Watchdog.case "a cap" capped;
          Watchdog.case "at once" at_once;
          Watchdog.case "other work has its turn" other_work;
          Watchdog.case "metrics" measured;
          Watchdog.case "misuse" misuse;
          Watchdog.case "from inside" from_inside;
          Watchdog.case "from far inside" from_far_inside;
          Watchdog.case "one by one" one_by_one;
          Watchdog.case "one, from inside" one_from_inside;
          Watchdog.case "one, among many" one_among_many;
        ] );
      ( "cancellation",
        [
          Watchdog.case "of who waits" cancelled_waiting;
          Watchdog.case "of the caller" cancelled_caller;
          Watchdog.case "of the caller, before" cancelled_before;
          Watchdog.case "of a batch" cancelled_batch;
        ] );
      ( "failures",
        [
          Watchdog.case "a batch" failing;
          Watchdog.case "the rest of a batch" failing_in_the_middle;
          Watchdog.case "an operation" failing_alone;
          Watchdog.case "backtraces" backtrace;
          Watchdog.case "after all results" failing_afterwards;
        ] );
      ( "parallel batches",
        List.map
          (fun n -> Watchdog.case (Printf.sprintf "%d domains" n) (sum_of_squares n))
          [ 1; 2; 4; 8 ] );
      ( "places",
        [ Watchdog.case "every place" everywhere; Watchdog.case "a closed pool" closed_pool ] );
    ]
