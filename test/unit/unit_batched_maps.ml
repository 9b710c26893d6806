(* Drover_batched's ordered maps and hash tables: what operations raise and what that leaves, single operations
   beside others where the user's functions wait, and batches that random ones seldom are like. *)

open Test_support
open Drover_batched

(* What a snapshot is made of, which no public function tells. *)
module Ordered_tree = Drover_batched__Ordered_tree

let is_settled op =
  match Op.result op with _ -> true | exception Invalid_argument _ -> false | exception _ -> true

(* What fails *)

(* What a structure of keys and values does alone, and as a batch. *)
let fails_alone ~insert ~update ~apply ~find () =
  insert 1 1;
  Failing.check 13 (fun () -> insert 13 0);
  Failing.check 5 (fun () -> update 1 (fun _ -> Failing.raise_here 5));
  let ops =
    Array.init 1000 (fun i ->
        if i = 500 then Op.insert 13 0
        else if i = 600 then Op.update 1 (fun _ -> Failing.raise_here 6)
        else Op.insert (i + 100) i)
  in
  apply ops;
  Failing.check 13 (fun () -> Op.result ops.(500));
  Failing.check 6 (fun () -> Op.result ops.(600));
  Alcotest.(check (option int)) "the binding stays" (Some 1) (find 1);
  Array.iteri
    (fun i op ->
      if i <> 500 && i <> 600 then begin
        Alcotest.(check (option int)) "result" None (Op.result op);
        Alcotest.(check (option int)) "bound" (Some i) (find (i + 100))
      end)
    ops

let ordered_map () =
  let t = Ordered_map.create (Failing.compare_but 13) in
  fails_alone ~insert:(Ordered_map.insert t) ~update:(Ordered_map.update t)
    ~apply:(Ordered_map.apply t) ~find:(Ordered_map.find t) ()

let hash_table () =
  let hash k = if k = 13 then Failing.raise_here 13 else k in
  let t = Hash_table.create ~hash ~equal:Int.equal () in
  fails_alone ~insert:(Hash_table.insert t) ~update:(Hash_table.update t)
    ~apply:(Hash_table.apply t) ~find:(Hash_table.find t) ()

(* Not one for each long array of operations that were made just now. Alone, as another worker may ask
   for collections. *)
let few_collections () =
  let rounds = 50 and bindings = Array.init 1000 (fun i -> (i, i)) in
  let collections () = (Gc.quick_stat ()).minor_collections in
  let made =
    Drover.run ~domains:1 (fun () ->
        let t = Hash_table.create ~hash:Fun.id ~equal:Int.equal () in
        let before = collections () in
        for _ = 1 to rounds do
          Hash_table.insert_all t bindings
        done;
        collections () - before)
  in
  Alcotest.(check bool) (string_of_int made) true (made < rounds / 2)

(* Batches *)

let rec until condition =
  if not (condition ()) then begin
    Drover.sleep 0.001;
    until condition
  end

(* What [tasks] do to the map while a batch holds it, in a pool of one domain: so it is one batch. *)
let while_held t tasks =
  let is_in = ref false and started = ref 0 in
  let hold m =
    is_in := true;
    until (fun () -> !started = List.length tasks);
    (m, ())
  in
  let begin_task f =
    Drover.async (fun () ->
        incr started;
        f ())
  in
  Drover.run ~domains:1 (fun () ->
      let holder = Drover.async (fun () -> Ordered_map.modify t hold) in
      until (fun () -> !is_in);
      List.iter Drover.await (holder :: List.map begin_task tasks))

let batch_sizes () =
  let t = Ordered_map.create Int.compare in
  while_held t (List.init 5 (fun k () -> Ordered_map.insert t k k));
  Alcotest.(check (list int))
    "one, and four to seven" [ 1; 0; 1 ]
    (Array.to_list (Array.sub (Ordered_map.batch_sizes t) 0 3));
  Alcotest.(check int) "all" 5 (Ordered_map.length t)

(* Batches that are handed in at the same time become one. *)
let handed_in_together () =
  let t = Ordered_map.create (Failing.compare_but 13) in
  let batch first = Array.init 3 (fun i -> Op.add (first + i) first) in
  Ordered_map.insert t 0 0;
  let one = batch 1 and other = batch 3 and poison = [| Op.insert 13 0; Op.find 1 |] in
  let apply ops () = Ordered_map.apply t ops in
  let length = ref 0 in
  let all =
    [ apply one; (fun () -> Ordered_map.insert t 7 7); apply [||]; apply other; apply poison ]
  in
  while_held t (all @ [ (fun () -> length := Ordered_map.length t) ]);
  let added ops = List.map (fun op -> Op.result op = None) (Array.to_list ops) in
  let check = Alcotest.(check (list bool)) in
  check "only one binds 3" [ false; true ]
    (List.sort Bool.compare [ Op.result one.(2) = None; Op.result other.(0) = None ]);
  check "the rest" [ true; true; true; true ]
    (added (Array.append (Array.sub one 0 2) (Array.sub other 1 2)));
  Alcotest.(check bool) "poisoned alone" true (is_settled poison.(1));
  Failing.check 13 (fun () -> Op.result poison.(0));
  Alcotest.(check int) "all" 7 !length;
  Ordered_map.validate t

let bulk_of_ordered_map () =
  let t = Ordered_map.create (Failing.compare_but 13) in
  let bindings = Array.init 100 (fun i -> (i, i)) in
  Failing.check 13 (fun () -> Ordered_map.insert_all t bindings);
  Alcotest.(check int) "the others are there" 99 (Ordered_map.length t);
  Alcotest.(check (option int)) "the last" (Some 99) (Ordered_map.find t 99);
  Ordered_map.delete_all t (Array.init 50 (fun i -> i + 50));
  Alcotest.(check int) "deleted" 49 (Ordered_map.length t);
  Alcotest.(check (array (option int)))
    "find_all" [| Some 7; None |]
    (Ordered_map.find_all t [| 7; 77 |]);
  Failing.check 13 (fun () -> Tree_map.of_array (Failing.compare_but 13) bindings);
  Failing.check 2 (fun () ->
      Tree_map.update (Ordered_map.snapshot t) 3 (fun _ -> Failing.raise_here 2))

let modify_ordered_map () =
  let t = Ordered_map.create Int.compare in
  Ordered_map.insert_all t (Array.init 100 (fun i -> (i, i)));
  let before = Ordered_map.snapshot t in
  Failing.check 1 (fun () -> Ordered_map.modify t (fun _ -> Failing.raise_here 1));
  Alcotest.(check int) "unchanged" 100 (Ordered_map.length t);
  let behind =
    Ordered_map.modify t (fun m ->
        let before, _, behind = Tree_map.split m 60 in
        (before, behind))
  in
  Alcotest.(check (pair int int)) "cut" (60, 39) (Ordered_map.length t, Tree_map.length behind);
  Alcotest.(check int) "a snapshot stays" 100 (Tree_map.length before);
  let range = Ordered_map.range t ~lo:10 ~hi:19 in
  Alcotest.(check int) "range" 10 (Tree_map.length range);
  let sum = ref 0 in
  Ordered_map.iter (fun k v -> sum := !sum + k + v) t;
  Alcotest.(check int) "iter" (59 * 60) !sum

(* The table stays small, as nothing is added. Where keys are compared, other tasks go on. *)
let few_bindings () =
  let equal k l =
    Drover.sleep 1e-4;
    Int.equal k l
  in
  let t = Hash_table.create ~hash:Fun.id ~equal () in
  let n = 16 in
  Hash_table.insert_all t (Array.init n (fun k -> (k, k)));
  let ops = Array.init 1024 (fun i -> if i < n then Op.find i else Op.delete (i - n)) in
  Hash_table.apply t ops;
  Hash_table.validate t;
  Alcotest.(check int) "all are deleted" 0 (Hash_table.length t);
  let expected i = if i < n then Some i else if i < 2 * n then Some (i - n) else None in
  Alcotest.(check (array (option int)))
    "results" (Array.init 1024 expected) (Array.map Op.result ops)

let fold = String.lowercase_ascii
let compare_folded a b = String.compare (fold a) (fold b)

(* Of keys that are equal, though not the same, the one stays that was bound. *)
let bound_keys ~apply ~keys () =
  let check what expected = Alcotest.(check (list string)) what expected (keys ()) in
  apply [| Op.find "A"; Op.insert "a" 1; Op.find "A" |];
  check "a look binds nothing" [ "a" ];
  apply [| Op.insert "A" 2; Op.add "A" 3; Op.insert "b" 1; Op.add "B" 2 |];
  check "who was first stays" [ "a"; "b" ];
  apply [| Op.delete "A"; Op.delete "b"; Op.insert "A" 4; Op.find "a"; Op.add "B" 5 |];
  check "deleted and bound again" [ "A"; "B" ]

let keys_of iter t () =
  let keys = ref [] in
  iter (fun k _ -> keys := k :: !keys) t;
  List.sort String.compare !keys

let bound_keys_of_ordered_map () =
  let t = Ordered_map.create compare_folded in
  bound_keys ~apply:(Ordered_map.apply t) ~keys:(keys_of Ordered_map.iter t) ()

let bound_keys_of_hash_table () =
  let hash k = Hashtbl.hash (fold k) and equal a b = compare_folded a b = 0 in
  let t = Hash_table.create ~hash ~equal () in
  bound_keys ~apply:(Hash_table.apply t) ~keys:(keys_of Hash_table.iter t) ()

(* By it, a nan is not equal to itself. *)
let compare_floats (x : float) y = if x < y then -1 else if x = y then 0 else 1

let nowhere_equal () =
  let bindings = Array.init 100 (fun i -> ((if i mod 3 = 0 then 1. else nan), i)) in
  let t = Ordered_map.create compare_floats in
  Ordered_map.insert_all t bindings;
  Alcotest.(check bool) "ends" true (Ordered_map.length t > 0)

(* The user's function of one operation cancels what runs it. Those that have a result then are those
   that took effect. *)
let stopped ~insert_all ~apply ~find ~validate () =
  let rng = Random.State.make [| 9 |] in
  let stop_at n domains =
    insert_all (Array.init 3000 (fun k -> (2 * k, 0)));
    let stopping = Random.State.int rng n and version = (10 * n) + domains in
    let stop _ =
      Drover_bridge.canceller () Exit;
      Some version
    in
    let op i = if i = stopping then Op.update ((3 * i) + 1) stop else Op.insert (3 * i) version in
    let ops = Array.init n op in
    Array.shuffle ~rand:(Random.State.int rng) ops;
    (try Drover.run ~domains (fun () -> apply ops) with Drover.Cancelled _ -> ());
    validate ();
    let took_effect op = find (Op.key op) = Some version in
    let is_told op = is_settled op = took_effect op in
    Alcotest.(check bool) "results" true (Array.for_all is_told ops);
    (* That was the end of one batch only. *)
    Drover.run ~domains (fun () -> insert_all (Array.init n (fun i -> ((3 * i) + 2, 0))));
    validate ()
  in
  for i = 1 to 45 do
    stop_at (i * i) (1 lsl (i mod 3))
  done

let stopped_ordered_map () =
  let open Ordered_map in
  let t = create Int.compare in
  let validate () = validate t in
  stopped ~insert_all:(insert_all t) ~apply:(apply t) ~find:(find t) ~validate ()

let stopped_hash_table () =
  let open Hash_table in
  let t = create ~hash:Fun.id ~equal:Int.equal () in
  let validate () = validate t in
  stopped ~insert_all:(insert_all t) ~apply:(apply t) ~find:(find t) ~validate ()

(* Single operations *)

let bindings t = Tree_map.to_array (Ordered_map.snapshot t)
let check_bindings = Alcotest.(check (array (pair int int)))

(* Of a single operation that raises nothing is left, not even another tree. *)
let unchanged () =
  let t = Ordered_map.create (Failing.compare_but 13) in
  Ordered_map.insert_all t (Array.init 13 (fun k -> (k, k)));
  let before = Ordered_tree.tree (Ordered_map.snapshot t) in
  let fails n f =
    Failing.check n f;
    let after = Ordered_tree.tree (Ordered_map.snapshot t) in
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
    Alcotest.(check bool)
      "nothing to change" true
      (Ordered_tree.tree (Ordered_map.snapshot t) == before)
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

(* An update that waits is called again after another, for which nobody waits. *)
let update_waits ~insert ~insert_all ~update ~find () =
  insert 1 10;
  let calls = ref 0 in
  let update wait =
    update 1 (fun n ->
        incr calls;
        wait ();
        Option.map succ n)
  in
  Begun.while_waiting update (fun () ->
      insert_all [| (2, 20) |];
      Alcotest.(check (option int)) "another" (Some 20) (find 2);
      Alcotest.(check (option int)) "the same, as before" (Some 10) (find 1);
      insert 1 30);
  Alcotest.(check (option int)) "changed once more" (Some 31) (find 1);
  Alcotest.(check int) "called again" 2 !calls

let update_of_ordered_map_waits () =
  let open Ordered_map in
  let t = create Int.compare in
  update_waits ~insert:(insert t) ~insert_all:(insert_all t) ~update:(update t) ~find:(find t) ();
  validate t

let update_of_hash_table_waits () =
  let open Hash_table in
  let t = create ~hash:Fun.id ~equal:Int.equal () in
  update_waits ~insert:(insert t) ~insert_all:(insert_all t) ~update:(update t) ~find:(find t) ();
  validate t

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
        until (fun () -> !ended <> seen || !begun <> !ended);
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
  let case = Watchdog.case in
  Alcotest.run "batched maps"
    [
      ( "ordered map",
        [
          Place.case "an operation fails alone, with its backtrace" ordered_map;
          Place.case "bulk forms" bulk_of_ordered_map;
          case "batch sizes" batch_sizes;
          case "batches handed in together" handed_in_together;
          Place.case "modify, snapshot, range" modify_ordered_map;
          Place.case "bound keys stay" bound_keys_of_ordered_map;
          Place.case "a key that is not equal to itself" nowhere_equal;
          case "a batch that is stopped" stopped_ordered_map;
        ] );
      ( "single operations on it",
        [
          Place.case "a failure, or what changes nothing, makes no other tree" unchanged;
          Place.case "empty" empty;
          case "nobody waits for a comparison that waits" comparison_waits;
          case "an update that waits is called again" update_of_ordered_map_waits;
          case "an update that is always overtaken" always_overtaken;
          case "a batch whose comparison waits" batch_waits;
        ] );
      ( "hash table",
        [
          Place.case "an operation fails alone, with its backtrace" hash_table;
          case "bulk forms make few collections" few_collections;
          case "an update that waits is called again" update_of_hash_table_waits;
          Place.case "looks and deletions where there are few bindings" few_bindings;
          Place.case "bound keys stay" bound_keys_of_hash_table;
          case "a batch that is stopped" stopped_hash_table;
        ] );
    ]
