(* Drover_batched: what its operations raise, and what that leaves. *)

open Test_support
open Drover_batched

let places : Place.t list = [ List.hd Place.all; Place.task 1; Place.task 2 ]

let everywhere name f =
  Watchdog.case name (fun () -> List.iter (fun (place : Place.t) -> place.call f) places)

let not_applied () =
  Failing.misuse "Drover_batched.Op.result:" (fun () -> Op.result (Op.find 1 : (int, int) Op.t))

(* Comparing with 13 raises. *)
let compare_but_13 x y =
  if x = 13 || y = 13 then Failing.raise_here 13;
  Int.compare x y

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
  let t = Ordered_map.create compare_but_13 in
  fails_alone ~insert:(Ordered_map.insert t) ~update:(Ordered_map.update t)
    ~apply:(Ordered_map.apply t) ~find:(Ordered_map.find t) ()

let hash_table () =
  let hash k = if k = 13 then Failing.raise_here 13 else k in
  let t = Hash_table.create ~hash ~equal:Int.equal () in
  fails_alone ~insert:(Hash_table.insert t) ~update:(Hash_table.update t)
    ~apply:(Hash_table.apply t) ~find:(Hash_table.find t) ()

let priority_queue () =
  let t = Priority_queue.create compare_but_13 in
  Failing.misuse "Drover_batched.Priority_queue.pop_many:" (fun () ->
      Priority_queue.pop_many t (-1));
  Failing.misuse "Drover_batched.Priority_queue.result:" (fun () ->
      Priority_queue.result (Priority_queue.push_op 1));
  Priority_queue.push t 1;
  Failing.check 13 (fun () -> Priority_queue.push t 13);
  Failing.check 13 (fun () -> Priority_queue.push_all t (Array.init 100 Fun.id));
  Alcotest.(check int) "the others are there" 100 (Priority_queue.length t);
  let sum = ref 0 in
  Priority_queue.iter (fun x -> sum := !sum + x) t;
  Alcotest.(check int) "iter" (1 + (99 * 50) - 13) !sum;
  Alcotest.(check (option int)) "the least" (Some 0) (Priority_queue.pop_min t)

(* Of many that are pushed and popped singly and together, equal ones are in the order in which they
   came. *)
let in_order () =
  let t = Priority_queue.create (fun (x, _) (y, _) -> Int.compare x y) in
  let rng = Random.State.make [| 4 |] and came = ref 0 and model = ref [] in
  let next () =
    incr came;
    (Random.State.int rng 50, !came)
  in
  let add xs = model := List.stable_sort compare (xs @ !model) in
  for _ = 1 to 1000 do
    match Random.State.int rng 4 with
    | 0 ->
        let xs = Array.init (Random.State.int rng 100) (fun _ -> next ()) in
        add (Array.to_list xs);
        Priority_queue.push_all t xs
    | 1 ->
        let n = Random.State.int rng 100 in
        Alcotest.(check bool)
          "many" true
          (Array.to_list (Priority_queue.pop_many t n) = List.take n !model);
        model := List.drop n !model
    | 2 ->
        let x = next () in
        add [ x ];
        Priority_queue.push t x
    | _ ->
        Alcotest.(check bool) "one" true (Priority_queue.pop_min t = List.nth_opt !model 0);
        model := List.drop 1 !model
  done;
  Priority_queue.validate t;
  Alcotest.(check bool) "the rest" true (Array.to_list (Priority_queue.to_array t) = !model)

let union_find () =
  List.iter
    (fun n -> Failing.misuse "Drover_batched.Union_find.create:" (fun () -> Union_find.create n))
    [ -1; max_int ];
  let t = Union_find.create 10 in
  Failing.misuse "Drover_batched.Union_find:" (fun () -> Union_find.find t 10);
  Failing.misuse "Drover_batched.Union_find:" (fun () -> Union_find.union t (-1) 3);
  Failing.misuse "Drover_batched.Union_find.result:" (fun () ->
      Union_find.result (Union_find.find_op 1));
  Failing.misuse "Drover_batched.Union_find:" (fun () ->
      Union_find.union_all t [| (1, 2); (3, 30); (2, 4) |]);
  Alcotest.(check (array bool))
    "the others are united" [| true; false |]
    (Union_find.connected_all t [| (1, 4); (3, 4) |])

(* So many that blocks of them are united side by side: pairs of neighbours, in order and in none, and of any; in two
   batches, as the ways to the roots are longer in the second one. *)
let many_unions () =
  let n = 30_000 and rng = Random.State.make [| 7 |] in
  let any _ = Random.State.int rng n in
  let near i = (i mod (n - 3), (i mod (n - 3)) + Random.State.int rng 3) in
  let kinds =
    [
      near;
      (fun i -> near (n - 4 - (i mod (n - 3))));
      (fun i -> near (any i));
      (fun i -> (any i, any i));
    ]
  in
  let sparse pair i = if i mod 3 = 0 then pair i else (i mod n, i mod n) in
  let check first second domains =
    let batches = List.map (Array.init n) [ first; second ] in
    let t = Union_find.create n and names = Array.init n Fun.id in
    let rec name x = if names.(x) = x then x else name names.(x) in
    let unite (x, y) = names.(Int.max (name x) (name y)) <- Int.min (name x) (name y) in
    List.iter (Array.iter unite) batches;
    Drover.run ~domains (fun () -> List.iter (Union_find.union_all t) batches);
    Union_find.validate t;
    (* As many sets, and none of ours is in two of theirs. *)
    let sets = Array.fold_left ( + ) 0 (Array.mapi (fun x y -> Bool.to_int (x = y)) names) in
    Alcotest.(check int) "sets" sets (Union_find.sets t);
    let roots = Union_find.to_array t in
    Array.iteri (fun x root -> if name x <> name root then Alcotest.fail "not one set") roots
  in
  List.iter
    (fun first ->
      List.iter (fun second -> List.iter (check (sparse first) (sparse second)) [ 1; 4 ]) kinds)
    kinds

let vector () =
  let t = Vector.create () in
  Failing.misuse "Drover_batched.Vector:" (fun () -> Vector.get t 0);
  Failing.misuse "Drover_batched.Vector:" (fun () -> Vector.element (Vector.append_op 1));
  Alcotest.(check int) "index" 0 (Vector.append t 5);
  Failing.check 5 (fun () -> Vector.update t 0 Failing.raise_here);
  Alcotest.(check (option int)) "popped" (Some 5) (Vector.pop t);
  Alcotest.(check (option int)) "empty" None (Vector.pop t);
  Alcotest.(check int) "first index" 0 (Vector.append_all t [| 1; 2; 3 |]);
  let sum = ref 0 in
  Vector.iter (fun x -> sum := !sum + x) t;
  Alcotest.(check int) "iter" 6 !sum;
  let floats = Vector.create () in
  ignore (Vector.append floats 1.);
  ignore (Vector.pop floats);
  Alcotest.(check bool) "no floats" true (Vector.to_array floats = [||])

(* What [make] leaves keeps [expected] of the values that it gives to its argument. *)
let check_kept what expected make =
  let reach = Reach.create () in
  let left = make (Reach.watch reach) in
  Alcotest.(check int) what expected (Reach.remain ~most:expected reach);
  ignore (Sys.opaque_identity left)

let vector_keeps_nothing_popped () =
  let rec pop t n = if n > 0 && Option.is_some (Vector.pop t) then pop t (n - 1) in
  let appended n watch =
    let t = Vector.create () in
    for i = 1 to n do
      ignore (Vector.append t (watch (ref i)) : int)
    done;
    t
  and appended_at_once n watch =
    let t = Vector.create () in
    ignore (Vector.append_all t (Array.init n (fun i -> watch (ref i))) : int);
    t
  in
  let popped n make watch =
    let t = make watch in
    pop t n;
    t
  in
  List.iter
    (fun n ->
      check_kept "all" 0 (popped n (appended n));
      check_kept "all at once" 0 (popped n (appended_at_once n));
      check_kept "all but two" 2 (popped (n - 2) (appended n));
      check_kept "all but two at once" 2 (popped (n - 2) (appended_at_once n)))
    [ 3; 5; 100 ]

let counter () =
  let t = Counter.create 5 in
  Alcotest.(check int) "before" 5 (Counter.add t 2);
  Counter.incr t;
  Failing.check 3 (fun () -> Counter.update t (fun _ -> Failing.raise_here 3));
  Alcotest.(check int) "stays" 8 (Counter.get t);
  Alcotest.(check int) "doubled" 8 (Counter.update t (fun n -> 2 * n));
  let before = Counter.add_all t (Array.init 10_000 Fun.id) in
  Array.iteri (fun i n -> Alcotest.(check int) "sum" (16 + (i * (i - 1) / 2)) n) before

(* Least of some rounds: another thread of the domain may allocate in one. *)
let counter_words () =
  let t = Counter.create 0 in
  let round () =
    let before = Gc.minor_words () in
    for _ = 1 to 1000 do
      ignore (Counter.add t 1 : int)
    done;
    Gc.minor_words () -. before
  in
  let rounds = Drover.run ~domains:1 (fun () -> List.init 10 (fun _ -> round ())) in
  Alcotest.(check (float 0.)) "words" 0. (List.fold_left Float.min infinity rounds)

(* What comes while a batch runs is the next one. On one domain a task that has started to insert
   waits when another one runs. *)
let rec until condition =
  if not (condition ()) then begin
    Drover.sleep 0.001;
    until condition
  end

let hash_table_while_waiting () =
  let t = Hash_table.create ~hash:Fun.id ~equal:Int.equal () in
  Hash_table.insert t 1 10;
  let calls = ref 0 in
  let update wait =
    Hash_table.update t 1 (fun n ->
        incr calls;
        wait ();
        Option.map succ n)
  in
  Begun.while_waiting update (fun () ->
      Hash_table.insert t 2 20;
      Alcotest.(check (option int)) "another" (Some 20) (Hash_table.find t 2);
      Alcotest.(check (option int)) "the same, as before" (Some 10) (Hash_table.find t 1);
      Hash_table.insert t 1 30);
  Alcotest.(check (option int)) "changed once more" (Some 31) (Hash_table.find t 1);
  Alcotest.(check int) "called again" 2 !calls;
  Hash_table.validate t

let priority_queue_while_waiting () =
  let waiting = ref ignore in
  let compare x y =
    if x = 5 then !waiting ();
    Int.compare x y
  in
  let t = Priority_queue.create compare in
  Priority_queue.push_all t [| 1; 3; 7 |];
  let push wait =
    waiting := wait;
    Priority_queue.push t 5
  in
  Begun.while_waiting push (fun () ->
      Alcotest.(check (option int)) "popped" (Some 1) (Priority_queue.pop_min t);
      Priority_queue.push t 4);
  Alcotest.(check (array int)) "all" [| 3; 4; 5; 7 |] (Priority_queue.to_array t);
  Priority_queue.validate t

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
  let t = Ordered_map.create compare_but_13 in
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
  Alcotest.(check bool) "poisoned alone" true (Op.is_settled poison.(1));
  Failing.check 13 (fun () -> Op.result poison.(0));
  Alcotest.(check int) "all" 7 !length;
  Ordered_map.validate t

let bulk_of_ordered_map () =
  let t = Ordered_map.create compare_but_13 in
  let bindings = Array.init 100 (fun i -> (i, i)) in
  Failing.check 13 (fun () -> Ordered_map.insert_all t bindings);
  Alcotest.(check int) "the others are there" 99 (Ordered_map.length t);
  Alcotest.(check (option int)) "the last" (Some 99) (Ordered_map.find t 99);
  Ordered_map.delete_all t (Array.init 50 (fun i -> i + 50));
  Alcotest.(check int) "deleted" 49 (Ordered_map.length t);
  Alcotest.(check (array (option int)))
    "find_all" [| Some 7; None |]
    (Ordered_map.find_all t [| 7; 77 |]);
  Failing.check 13 (fun () -> Tree_map.of_array compare_but_13 bindings);
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

(* Every other operation pops; the pushes come first. *)
let long_batches () =
  let check n =
    let t = Priority_queue.create Int.compare in
    let op i = if i mod 2 = 0 then Priority_queue.push_op (n - i) else Priority_queue.pop_op () in
    let ops = Array.init n op in
    Priority_queue.apply t ops;
    let least = List.sort Int.compare (List.init ((n + 1) / 2) (fun i -> n - (2 * i))) in
    let expected i = if i mod 2 = 0 then None else List.nth_opt least (i / 2) in
    let sample = List.filter (fun i -> i < 4 || i mod 251 < 2 || i >= n - 2) (List.init n Fun.id) in
    Alcotest.(check (list (option int)))
      (string_of_int n) (List.map expected sample)
      (List.map (fun i -> Priority_queue.result ops.(i)) sample);
    Alcotest.(check int) "length" (n mod 2) (Priority_queue.length t)
  in
  List.iter check [ 1; 2; 255; 256; 257; 511; 513; 8191; 8192; 20_000 ]

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

let () =
  Alcotest.run "batched"
    [
      ("op", [ Watchdog.case "no result before it is applied" not_applied ]);
      ( "ordered map",
        [
          everywhere "an operation fails alone, with its backtrace" ordered_map;
          everywhere "bulk forms" bulk_of_ordered_map;
          Watchdog.case "batch sizes" batch_sizes;
          Watchdog.case "batches handed in together" handed_in_together;
          everywhere "modify, snapshot, range" modify_ordered_map;
        ] );
      ( "hash table",
        [
          everywhere "an operation fails alone, with its backtrace" hash_table;
          Watchdog.case "bulk forms make few collections" few_collections;
          Watchdog.case "nobody waits for a function that waits" hash_table_while_waiting;
        ] );
      ( "priority queue",
        [
          everywhere "a push fails alone, with its backtrace" priority_queue;
          everywhere "batches of all lengths" long_batches;
          everywhere "equal elements in order" in_order;
          Watchdog.case "nobody waits for a comparison that waits" priority_queue_while_waiting;
        ] );
      ( "counter",
        [ everywhere "failures, sums" counter; Watchdog.case "allocates nothing" counter_words ] );
      ("union-find", [ everywhere "failures" union_find; Watchdog.case "many unions" many_unions ]);
      ( "vector",
        [
          everywhere "failures, ends" vector;
          everywhere "nothing popped is kept" vector_keeps_nothing_popped;
        ] );
    ]
