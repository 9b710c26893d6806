(* Each operation of a batched object is applied once, and no two batches at a time. *)

open Case

exception Refused

type operation = { number : int; mutable has_result : bool }

let operations = 32

(* Four tasks submit, one operation after the other. *)
let submits s submit =
  beside s ~tasks:4
    (fun task ->
      for i = 0 to (operations / 4) - 1 do
        work s 10_000;
        submit ((i * 4) + task - 1)
      done)
    ignore

let applied_once s =
  let applied = tally operations and inside = Atomic.make 0 in
  let apply_one i =
    work s 3_000;
    one_more applied.(i)
  in
  let apply batch =
    within inside (fun () ->
        equal s "batches at a time" 1 (Atomic.get inside);
        Drover.Array.iter apply_one batch)
  in
  let batch = Drover.Batch.create ~max:8 apply in
  if s.run (fun () -> submits s (Drover.Batch.submit batch)) then each_once s "operation" applied

(* Those without a result fail, and no others. *)
let failing s =
  let apply batch =
    let apply_one op =
      work s 3_000;
      if op.number mod 8 = 3 then raise Refused;
      op.has_result <- true
    in
    Stdlib.Array.iter apply_one batch
  in
  let batch = Drover.Batch.create ~applied:(fun op -> op.has_result) apply in
  let submit number =
    let op = { number; has_result = false } in
    match Drover.Batch.submit batch op with
    | () -> expect s "an operation without a result has returned" op.has_result
    | exception Refused -> expect s "one with a result has failed" (not op.has_result)
  in
  ignore (s.run (fun () -> submits s submit) : bool)

(* What a cancelled submitter has submitted is applied, or is not. *)
let cancelled s =
  let applied = tally operations and returned = tally operations in
  let apply batch =
    work s 20_000;
    Stdlib.Array.iter (fun i -> one_more applied.(i)) batch
  in
  let batch = Drover.Batch.create apply in
  let submit i =
    match Drover.Scope.with_timeout 1e-5 (fun () -> Drover.Batch.submit batch i) with
    | () -> one_more returned.(i)
    | exception Drover.Scope.Timeout -> ()
  in
  ignore (s.run (fun () -> submits s submit) : bool);
  let check i n =
    expect s "an operation was applied twice" (Atomic.get n <= 1);
    expect s "one has returned that was not applied" (Atomic.get returned.(i) <= Atomic.get n)
  in
  Stdlib.Array.iteri check applied

let structures s =
  let open Drover_batched in
  let counter = Counter.create 0 in
  let table = Hash_table.create ~hash:Hashtbl.hash ~equal:Int.equal () in
  let map = Ordered_map.create Int.compare in
  let act i =
    Counter.incr counter;
    Hash_table.insert table i i;
    Ordered_map.insert map i i
  in
  if s.run (fun () -> submits s act) then begin
    equal s "the counter" operations (Counter.get counter);
    equal s "keys of the table" operations (Hash_table.length table);
    equal s "keys of the map" operations (Ordered_map.length map);
    Hash_table.validate table;
    Ordered_map.validate map
  end

let all =
  [
    case "operations" applied_once ~handler:Raises;
    case "a batch that fails" failing;
    case "submitters that are cancelled" cancelled ~handler:Raises;
    case "batched structures" structures;
  ]
