(* Single operations on an ordered map: what fails or changes nothing, from an empty map, and beside others
   where the user's functions wait. *)

open Test_support
open Drover_batched

let places : Place.t list = [ List.hd Place.all; Place.task 1; Place.task 2 ]

let everywhere name f =
  Watchdog.case name (fun () -> List.iter (fun (place : Place.t) -> place.call f) places)

let bindings t = Tree_map.to_array (Ordered_map.snapshot t)
let check_bindings = Alcotest.(check (array (pair int int)))

(* Comparing with 13 raises. *)
let compare_but_13 x y =
  if x = 13 || y = 13 then Failing.raise_here 13;
  Int.compare x y

(* Of a single operation that raises nothing is left, not even another tree. *)
let unchanged () =
  let t = Ordered_map.create compare_but_13 in
  Ordered_map.insert_all t (Array.init 13 (fun k -> (k, k)));
  let before = Tree_map.tree (Ordered_map.snapshot t) in
  let fails n f =
    Failing.check n f;
    let after = Tree_map.tree (Ordered_map.snapshot t) in
    Alcotest.(check bool) "the same tree" true (after == before)
  in
  fails 13 (fun () -> Ordered_map.insert t 13 0);
  fails 13 (fun () -> Ordered_map.add t 13 0);
  fails 13 (fun () -> Ordered_map.delete t 13);
  fails 13 (fun () -> Ordered_map.update t 13 Fun.id);
  fails 13 (fun () -> Ordered_map.find t 13);
  fails 5 (fun () -> Ordered_map.update t 5 (fun _ -> Failing.raise_here 5));
  let same f =
    f ();
    Alcotest.(check bool) "nothing to change" true (Tree_map.tree (Ordered_map.snapshot t) == before)
  in
  same (fun () -> Ordered_map.insert t 5 5);
  same (fun () -> Alcotest.(check bool) "bound" false (Ordered_map.add t 5 6));
  same (fun () -> Alcotest.(check bool) "not bound" false (Ordered_map.delete t 50));
  same (fun () -> Ordered_map.update t 5 Fun.id);
  same (fun () -> Ordered_map.update t 50 Fun.id)

(* The first binding and the last one. *)
let empty () =
  let t = Ordered_map.create Int.compare in
  let round () =
    Alcotest.(check bool) "nothing to delete" false (Ordered_map.delete t 1);
    Ordered_map.update t 1 (fun binding ->
        Alcotest.(check (option int)) "nothing to update" None binding;
        None);
    Failing.check 5 (fun () -> Ordered_map.update t 1 (fun _ -> Failing.raise_here 5));
    Alcotest.(check int) "no bindings" 0 (Ordered_map.length t);
    Alcotest.(check bool) "added" true (Ordered_map.add t 1 1);
    Alcotest.(check bool) "deleted" true (Ordered_map.delete t 1);
    Ordered_map.update t 1 (fun _ -> Some 2);
    Alcotest.(check (option int)) "made by an update" (Some 2) (Ordered_map.find t 1);
    Ordered_map.update t 1 (fun _ -> None);
    Ordered_map.insert t 1 3;
    Ordered_map.delete_all t [| 1 |];
    Ordered_map.validate t
  in
  round ();
  round ()

(* Comparing with 5 waits. *)
let waiting = ref ignore

let compare x y =
  if x = 5 || y = 5 then !waiting ();
  Int.compare x y

let comparison_waits () =
  let others t () =
    Ordered_map.insert t 4 40;
    Alcotest.(check bool) "deleted" true (Ordered_map.delete t 1);
    Ordered_map.insert_all t [| (8, 80); (9, 90) |];
    Alcotest.(check (option int)) "found" (Some 80) (Ordered_map.find t 8);
    Alcotest.(check int) "length" 5 (Ordered_map.length t)
  in
  let check what operation expected =
    let t = Ordered_map.create compare in
    waiting := ignore;
    Ordered_map.insert_all t [| (1, 10); (3, 30); (7, 70) |];
    let wait_in wait =
      waiting := wait;
      operation t
    in
    Begun.while_waiting wait_in (others t);
    Ordered_map.validate t;
    check_bindings what expected (bindings t)
  in
  let rest = [| (3, 30); (4, 40); (7, 70); (8, 80); (9, 90) |] in
  let with_5 = [| (3, 30); (4, 40); (5, 50); (7, 70); (8, 80); (9, 90) |] in
  check "insert" (fun t -> Ordered_map.insert t 5 50) with_5;
  check "add" (fun t -> Alcotest.(check bool) "added" true (Ordered_map.add t 5 50)) with_5;
  check "delete" (fun t -> Alcotest.(check bool) "none" false (Ordered_map.delete t 5)) rest;
  check "update" (fun t -> Ordered_map.update t 5 (fun _ -> Some 50)) with_5;
  check "find" (fun t -> Alcotest.(check (option int)) "none" None (Ordered_map.find t 5)) rest

let update_waits () =
  let t = Ordered_map.create Int.compare in
  Ordered_map.insert t 1 10;
  let calls = ref 0 in
  let update wait =
    Ordered_map.update t 1 (fun n ->
        incr calls;
        wait ();
        Option.map succ n)
  in
  Begun.while_waiting update (fun () ->
      Ordered_map.insert t 1 30;
      Ordered_map.insert_all t [| (2, 20) |]);
  Alcotest.(check (option int)) "changed once more" (Some 31) (Ordered_map.find t 1);
  Alcotest.(check int) "called again" 2 !calls

(* A function that always waits until another operation was faster, and at last is called in a batch, for
   which the others wait. *)
let always_overtaken () =
  let t = Ordered_map.create Int.compare in
  Ordered_map.insert t 1 0;
  let calls = ref 0 and begun = ref 0 and ended = ref 0 in
  let slow () =
    Ordered_map.update t 1 (fun n ->
        incr calls;
        let seen = !ended in
        while !ended = seen && !begun = !ended do
          Drover.sleep 0.001
        done;
        Option.map succ n)
  in
  let fast () =
    incr begun;
    Ordered_map.update t 1 (Option.map succ);
    incr ended
  in
  Drover.run ~domains:1 (fun () ->
      let slow = Drover.async slow in
      while not (Drover.Promise.is_settled slow) do
        fast ();
        Drover.sleep 0.001
      done;
      Drover.await slow);
  Alcotest.(check (option int)) "each once" (Some (1 + !ended)) (Ordered_map.find t 1);
  Alcotest.(check bool) "called again and again" true (!calls > 2)

(* A batch that waits: look-ups go on, and the others come after it. *)
let batch_waits () =
  waiting := ignore;
  let t = Ordered_map.create compare in
  Ordered_map.insert_all t (Array.init 4 (fun k -> (k, k)));
  let later = ref [] in
  let batch wait =
    waiting := wait;
    Ordered_map.insert_all t [| (5, 5); (6, 6) |]
  in
  Begun.while_waiting batch (fun () ->
      Alcotest.(check (option int)) "a look-up" (Some 3) (Ordered_map.find t 3);
      later :=
        List.map Begun.task
          [
            (fun () -> Ordered_map.insert t 7 7);
            (fun () -> Ordered_map.insert_all t [| (8, 8); (0, 9) |]);
            (fun () -> ignore (Ordered_map.delete t 1 : bool));
          ]);
  List.iter Drover.await !later;
  Ordered_map.validate t;
  check_bindings "all" [| (0, 9); (2, 2); (3, 3); (5, 5); (6, 6); (7, 7); (8, 8) |] (bindings t)

let () =
  Alcotest.run "batched singles"
    [
      ( "ordered map",
        [
          everywhere "a failure, or what changes nothing, makes no other tree" unchanged;
          everywhere "empty" empty;
          Watchdog.case "nobody waits for a comparison that waits" comparison_waits;
          Watchdog.case "an update that waits is called again" update_waits;
          Watchdog.case "an update that is always overtaken" always_overtaken;
          Watchdog.case "a batch whose comparison waits" batch_waits;
        ] );
    ]
