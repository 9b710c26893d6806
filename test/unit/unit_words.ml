(* How many words short calls allocate, where nobody shares the work: in a pool of one domain. What a
   call makes only for the case that others help, such as a token or a cell to wait at, shows at once
   in how often the collector runs. The bounds are what a call takes and about a third more. *)

open Test_support
open Drover_batched
open Drover
open Stdlib

let calls = 1000

(* In a round, another thread of the domain may allocate as well, but not in each. *)
let words f =
  let round () =
    let before = Gc.minor_words () in
    for _ = 1 to calls do
      ignore (Sys.opaque_identity (f ()))
    done;
    (Gc.minor_words () -. before) /. Float.of_int calls
  in
  List.fold_left (fun least _ -> Float.min least (round ())) (round ()) (List.init 9 Fun.id)

let check name ~most f =
  let words = words f in
  if words > Float.of_int most then Alcotest.failf "%s: %.1f words, not %d at most" name words most

let body i = ignore (Sys.opaque_identity i)

(* A loop takes 63: what it is made of (11), its run (5) and what is left of that (16), where failures
   and parts on their own would go (2 each), its place in the worker's list (3), and closures. *)
let loops () =
  let numbers = Array.init 10 Fun.id in
  let loop finish () = parallel_for ~start:1 ~finish body in
  let reduce finish () = parallel_reduce ~start:1 ~finish ~init:0 ~combine:( + ) Fun.id in
  run ~domains:1 (fun () ->
      check "nothing to do" ~most:8 (loop 0);
      check "one iteration" ~most:72 (loop 1);
      check "ten iterations" ~most:72 (loop 10);
      check "a hundred iterations" ~most:72 (loop 100);
      check "ranges" ~most:72 (fun () ->
          parallel_range ~start:1 ~finish:10 (fun lo hi -> body (lo + hi)));
      check "nothing to reduce" ~most:16 (reduce 0);
      check "one to reduce" ~most:96 (reduce 1);
      (* Up to 63 values each have a place in the tree. *)
      check "ten to reduce" ~most:240 (reduce 10);
      (* The result has 11. *)
      check "ten to map" ~most:126 (fun () -> Drover.Array.map succ numbers);
      check "ten to visit" ~most:96 (fun () -> Drover.Array.iter body numbers))

(* An operation that finds its object at rest makes an array of itself (2 words). *)
let submit () =
  let sum = ref 0 in
  let batch = Batch.create (fun ops -> sum := !sum + ops.(0)) in
  let submit () = Batch.submit batch 1 in
  let counter = Counter.create 0 in
  run ~domains:1 (fun () ->
      check "in a task" ~most:3 submit;
      check "a counter" ~most:0 (fun () -> Counter.add counter 1));
  check "outside" ~most:20 submit

let () =
  Alcotest.run "words"
    [
      ("loops", [ Watchdog.case "short ones" loops ]);
      ("batches", [ Watchdog.case "single operations" submit ]);
    ]
