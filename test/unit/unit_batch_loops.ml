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

let create ?max () =
  let applied = ref [] and sizes = ref [] and gate = ref ignore in
  let process ops =
    if ops.(0) = 0 then !gate ();
    sizes := Array.length ops :: !sizes;
    Array.iter (fun op -> applied := op :: !applied) ops
  in
  { batch = Batch.create ?max process; applied; sizes; gate }

let submit t op = Batch.submit t.batch op
let range = List.init 10 succ
let sorted t = List.sort compare !(t.applied)
let all_once t = Alcotest.(check (list int)) "each once" (0 :: range) (sorted t)
let outcome f = match f () with v -> Ok v | exception exn -> Error exn

(* [body open_gate] runs while the objects are busy with operations that were begun before. *)
let while_busy ?(domains = 1) objects body =
  run ~domains (fun () ->
      let opened, opener = Promise.create () in
      let begin_one t =
        let busy, set_busy = Promise.create () in
        (t.gate :=
           fun () ->
             Promise.fulfil set_busy ();
             await opened);
        let first = async (fun () -> submit t 0) in
        await busy;
        first
      in
      let firsts = List.map begin_one objects in
      let result = outcome (fun () -> body (fun () -> Promise.fulfil opener ())) in
      List.iter await firsts;
      match result with Ok v -> v | Error exn -> raise exn)

let for_range body = parallel_for ~start:1 ~finish:10 body

let together () =
  let t = create () and log = ref [] in
  while_busy [ t ] (fun open_gate ->
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
  while_busy [ t ] (fun open_gate ->
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
  while_busy [ t ] (fun open_gate ->
      for_range (fun i ->
          if i = 10 then open_gate ();
          submit t i;
          await (fst ends.(i + step));
          end_of i));
  all_once t

let two_objects () =
  let even = create () and odd = create () in
  while_busy [ even; odd ] (fun open_gate ->
      for_range (fun i ->
          if i = 10 then open_gate ();
          submit (if i land 1 = 0 then even else odd) i;
          submit (if i land 1 = 0 then odd else even) i));
  all_once even;
  all_once odd

let locked () =
  let t = create () and m = Drover.Mutex.create () and inside = ref 0 in
  while_busy [ t ] (fun open_gate ->
      let opener = async open_gate in
      for_range (fun i ->
          Drover.Mutex.protect m (fun () ->
              incr inside;
              Alcotest.(check int) "alone inside" 1 !inside;
              submit t i;
              decr inside);
          Drover.Mutex.protect m ignore);
      await opener);
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
  (match while_busy [ t ] loop with () -> Alcotest.fail "must raise" | exception Fault 4 -> ());
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
  while_busy [ t ] (fun open_gate ->
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
        let result =
          outcome (fun () ->
              for_range (fun i ->
                  submit t i;
                  incr returned;
                  Scope.check ()))
        in
        await open_later;
        match result with Ok () -> () | Error exn -> raise exn)
  in
  (match while_busy [ t ] loop with () -> Alcotest.fail "must raise" | exception Exit -> ());
  Alcotest.(check int) "who was applied returned" (List.length !(t.applied) - 1) !returned

let locals () =
  let t = create () and local = Local.create (-1) in
  while_busy [ t ] (fun open_gate ->
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

(* Forks of iterations that wait, below each other on the worker's stack. *)
let forks domains () =
  let t = create () and sum = Atomic.make 0 in
  while_busy ~domains [ t ] (fun open_gate ->
      for_range (fun i ->
          let add n = ignore (Atomic.fetch_and_add sum n : int) in
          let one () =
            let a, b =
              both
                (fun () ->
                  if i = 10 then open_gate ();
                  submit t i;
                  i)
                (fun () -> 10 * i)
            in
            a + b
          in
          let a, b =
            both one (fun () -> parallel_reduce ~start:1 ~finish:i ~init:0 ~combine:( + ) Fun.id)
          in
          add (a + b)));
  all_once t;
  Alcotest.(check int) "all results" ((11 * 55) + 220) (Atomic.get sum)

let nested domains () =
  let t = create () in
  while_busy ~domains [ t ] (fun open_gate ->
      parallel_for ~start:0 ~finish:4 (fun i ->
          parallel_for ~start:1 ~finish:2 (fun j ->
              if i = 4 && j = 2 then open_gate ();
              submit t ((2 * i) + j))));
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
  let domains = [ 1; 2; 4; 8 ] in
  let with_domains name test =
    List.map
      (fun n -> Watchdog.case (Printf.sprintf "%s, %d domains" name n) (fun () -> test n ()))
      domains
  in
  Alcotest.run "unit batch loops"
    [
      ( "waiting",
        [
          Watchdog.case "together" together;
          Watchdog.case "ranges" of_ranges;
          Watchdog.case "for the iteration before" (chained (-1));
          Watchdog.case "for the iteration after" (chained 1);
          Watchdog.case "for two objects" two_objects;
          Watchdog.case "with a lock" locked;
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
      ("forks", with_domains "forks" forks);
      ("nested loops", with_domains "nested" nested);
      ( "many",
        List.concat_map
          (fun max -> with_domains (Printf.sprintf "at most %d" max) (fun n -> many n max))
          [ 1; 5; 1024 ] );
    ]
