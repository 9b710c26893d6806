(* Batches that loops feed: an iteration that waits for its batch lets the next one begin on top of
   it. Nothing of that may be seen, but that many iterations wait together. *)

open Test_support
open Drover
open Stdlib

type t = {
  batch : int Batch.t;
  applied : int list ref; (* latest first *)
  sizes : int list ref;
  gate : (unit -> unit) ref; (* called by the batch of the operation 0 *)
}

let create () =
  let applied = ref [] and sizes = ref [] and gate = ref ignore in
  let process ops =
    if ops.(0) = 0 then !gate ();
    sizes := Array.length ops :: !sizes;
    Array.iter (fun op -> applied := op :: !applied) ops
  in
  { batch = Batch.create process; applied; sizes; gate }

let submit t op = Batch.submit t.batch op
let range = List.init 10 succ
let sorted t = List.sort compare !(t.applied)
let all_once t = Alcotest.(check (list int)) "each once" (0 :: range) (sorted t)

(* [body open_gate] runs while the object is busy with an operation that was begun before. *)
let while_busy t body =
  run ~domains:1 (fun () ->
      let opened, opener = Promise.create () and busy, set_busy = Promise.create () in
      (t.gate :=
         fun () ->
           Promise.fulfil set_busy ();
           await opened);
      let first = async (fun () -> submit t 0) in
      await busy;
      Fun.protect ~finally:(fun () -> await first) (fun () -> body (Promise.fulfil opener)))

let for_range body = parallel_for ~start:1 ~finish:10 body

let together () =
  let t = create () and log = ref [] in
  while_busy t (fun open_gate ->
      for_range (fun i ->
          log := `Begin :: !log;
          if i = 10 then open_gate ();
          submit t i;
          log := `End :: !log));
  all_once t;
  Alcotest.(check (list int)) "one batch" [ 10; 1 ] !(t.sizes);
  let begins, ends = List.partition (( = ) `Begin) !log in
  Alcotest.(check bool) "all begin first" true (!log = ends @ begins)

let of_ranges () =
  let t = create () in
  while_busy t (fun open_gate ->
      parallel_range ~start:1 ~finish:10 (fun lo hi ->
          if hi = 10 then open_gate ();
          for i = lo to hi do
            submit t i
          done));
  all_once t

(* After its operation an iteration waits for the end of another, that lies below it or above. *)
let chained step () =
  let t = create () in
  let ends = Array.init 12 (fun _ -> Promise.create ()) in
  let end_of i = Promise.fulfil (snd ends.(i)) () in
  end_of 0;
  end_of 11;
  while_busy t (fun open_gate ->
      for_range (fun i ->
          if i = 10 then open_gate ();
          submit t i;
          await (fst ends.(i + step));
          end_of i));
  all_once t

exception Fault of int

let failing when_ () =
  let t = create () and returned = Atomic.make 0 in
  let loop open_gate =
    for_range (fun i ->
        if i = 4 then open_gate ();
        if i = 4 && when_ = `Before then raise (Fault i);
        submit t i;
        Atomic.incr returned;
        if i = 4 then raise (Fault i))
  in
  (match while_busy t loop with () -> Alcotest.fail "must raise" | exception Fault 4 -> ());
  Alcotest.(check int)
    "who was applied returned"
    (List.length !(t.applied) - 1)
    (Atomic.get returned)

let failing_batch () =
  let gate = ref ignore in
  let batch =
    Batch.create (fun ops -> if ops.(0) = 0 then !gate () else raise (Fault (Array.length ops)))
  in
  let t = { (create ()) with batch; gate } and failed = ref 0 in
  while_busy t (fun open_gate ->
      for_range (fun i ->
          if i = 10 then open_gate ();
          match submit t i with () -> () | exception Fault 10 -> incr failed));
  Alcotest.(check int) "all failed" 10 !failed

let cancelled () =
  let t = create () and returned = ref 0 in
  let loop open_gate =
    Scope.run (fun scope ->
        let open_later =
          async (fun () ->
              Scope.cancel scope Exit;
              open_gate ())
        in
        Fun.protect
          ~finally:(fun () -> await open_later)
          (fun () ->
            for_range (fun i ->
                submit t i;
                incr returned;
                Scope.check ())))
  in
  (match while_busy t loop with () -> Alcotest.fail "must raise" | exception Exit -> ());
  Alcotest.(check int) "who was applied returned" (List.length !(t.applied) - 1) !returned

let locals () =
  let t = create () and local = Local.create (-1) in
  while_busy t (fun open_gate ->
      Local.with_value local 0 (fun () ->
          for_range (fun i ->
              Alcotest.(check int) "of the loop" 0 (Local.get local);
              if i = 10 then open_gate ();
              Local.with_value local i (fun () ->
                  submit t i;
                  Alcotest.(check int) "of the iteration" i (Local.get local));
              Alcotest.(check int) "of the loop again" 0 (Local.get local));
          Alcotest.(check int) "after the loop" 0 (Local.get local)));
  all_once t

(* Many chains, and batches in which loops run; with few or many in a batch. *)
let many domains max () =
  let sum = ref 0 in
  let process ops =
    let one = parallel_reduce ~start:0 ~finish:(Array.length ops - 1) ~init:0 ~combine:( + ) in
    sum := !sum + one (fun i -> ops.(i))
  in
  let batch = Batch.create ~max process in
  run ~domains (fun () -> parallel_for ~start:1 ~finish:5000 (Batch.submit batch));
  Alcotest.(check int) "sum" (5000 * 5001 / 2) !sum

(* Iterations that have ended leave nothing behind while the loop goes on. Each batch waits for an
   iteration that comes after those of its operations, so these wait too. *)
let leave_nothing () =
  let n = 50_000 in
  let hundreds = Array.init ((n / 100) + 1) (fun _ -> Promise.create ()) in
  let live_words () = (Gc.stat ()).live_words in
  let before = ref 0 and at_end = ref 0 and largest = ref 0 in
  let process ops =
    largest := Int.max !largest (Array.length ops);
    await (fst hundreds.(ops.(Array.length ops - 1) / 100))
  in
  let batch = Batch.create process in
  run ~domains:1 (fun () ->
      parallel_for ~start:1 ~finish:n (fun i ->
          if i = 1 then before := live_words ();
          if i mod 100 = 99 || i = n then Promise.fulfil (snd hundreds.(i / 100)) ();
          Batch.submit batch i;
          if i = n then at_end := live_words ()));
  Alcotest.(check bool) "they wait together" true (!largest > 16);
  Alcotest.(check bool) "less than 2 words each" true (!at_end - !before < 2 * n)

let () =
  Alcotest.run "unit batch loops"
    [
      ( "waiting",
        [
          Watchdog.case "together" together;
          Watchdog.case "ranges" of_ranges;
          Watchdog.case "for the iteration before" (chained (-1));
          Watchdog.case "for the iteration after" (chained 1);
          Watchdog.case "local values" locals;
          Watchdog.case "leaves nothing behind" leave_nothing;
        ] );
      ( "failures",
        [
          Watchdog.case "before an operation" (failing `Before);
          Watchdog.case "after an operation" (failing `After);
          Watchdog.case "of the batch" failing_batch;
          Watchdog.case "a cancellation" cancelled;
        ] );
      ( "many",
        List.concat_map
          (fun max ->
            List.map
              (fun n -> Watchdog.case (Printf.sprintf "at most %d, %d domains" max n) (many n max))
              [ 1; 2; 4; 8 ])
          [ 1; 5; 1024 ] );
    ]
