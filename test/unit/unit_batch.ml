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
          Watchdog.case "misuse" misuse;
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
