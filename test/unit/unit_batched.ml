(* Drover_batched, but for maps: what its operations raise, what that leaves, and the bulk forms, around the
   lengths where they take another way. *)

open Test_support
open Drover_batched

let not_applied () =
  Failing.misuse "Drover_batched.Op.result:" (fun () -> Op.result (Op.find 1 : (int, int) Op.t))

let priority_queue () =
  let t = Priority_queue.create (Failing.compare_but 13) in
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

(* Bulk forms *)

(* A batch is made in pieces from 257 operations on, and in parallel from 8192 on; the structure has
   some [lengths] of its own. *)
let of_lengths name lengths check =
  Place.case name (fun () -> List.iter check ([ 0; 1; 256; 257; 8191; 8192 ] @ lengths))

let is what n found = Alcotest.(check bool) (Printf.sprintf "%s of %d" what n) true found

(* Every key is inserted twice, and the keys that are looked for and deleted are not all bound. *)
let long_map ~insert_all ~delete_all ~find_all ~validate n =
  let keys = Array.init n Fun.id in
  let bound k = if 2 * k < n then Some (Int.min ((2 * k) + 1) (n - 1)) else None in
  let agrees what binding = is what n (find_all keys = Array.map binding keys) in
  insert_all (Array.map (fun i -> (i / 2, i)) keys);
  agrees "bindings" bound;
  delete_all (Array.map (fun i -> 2 * i) keys);
  agrees "odd keys" (fun k -> if k mod 2 = 0 then None else bound k);
  delete_all keys;
  agrees "no bindings" (fun _ -> None);
  validate ()

let long_ordered_map n =
  let open Ordered_map in
  let t = create Int.compare in
  let validate () = validate t in
  long_map ~insert_all:(insert_all t) ~delete_all:(delete_all t) ~find_all:(find_all t) ~validate n

let long_hash_table n =
  let open Hash_table in
  let t = create ~hash:Fun.id ~equal:Int.equal () in
  let validate () = validate t in
  long_map ~insert_all:(insert_all t) ~delete_all:(delete_all t) ~find_all:(find_all t) ~validate n

let long_priority_queue n =
  let open Priority_queue in
  let t = create Int.compare and numbers = Array.init n Fun.id in
  push_all t (Array.map (fun i -> n - 1 - i) numbers);
  push_all t numbers;
  validate t;
  is "least" n (pop_many t n = Array.map (fun i -> i / 2) numbers);
  is "rest" n (to_array t = Array.map (fun i -> (n + i) / 2) numbers);
  is "all" n (Array.length (pop_many t (n + 1)) = n && length t = 0);
  (* Every other operation pops; the pushes come first. *)
  let ops = Array.map (fun i -> if i mod 2 = 0 then push_op (n - i) else pop_op ()) numbers in
  apply t ops;
  let least = Array.init ((n + 1) / 2) (fun i -> n - (2 * i)) in
  Array.sort Int.compare least;
  let expected i = if i mod 2 = 0 then None else Some least.(i / 2) in
  is "pops" n (Array.for_all (fun i -> result ops.(i) = expected i) numbers);
  is "left" n (length t = n mod 2)

let long_union_find n =
  let open Union_find in
  let t = create (n + 2) and numbers = Array.init n Fun.id in
  union_all t (Array.map (fun i -> (i, i + 2)) numbers);
  validate t;
  is "sets" n (sets t = 2);
  let near = connected_all t (Array.map (fun i -> (i, i + 1)) numbers) in
  is "odd and even" n (Array.for_all not near);
  is "even" n (Array.for_all Fun.id (connected_all t (Array.map (fun i -> (i, i mod 2)) numbers)))

(* Each place is changed twice, the later time last. *)
let long_vector n =
  let open Vector in
  let t = create () and numbers = Array.init n Fun.id in
  is "first index" n (append_all t numbers = 0);
  apply t (Array.map append_op numbers);
  is "length" n (length t = 2 * n);
  let ops =
    Array.map (fun i -> if i mod 2 = 0 then set_op i i else update_op (i - 1) succ) numbers
  in
  apply t ops;
  is "before" n (Array.for_all (fun i -> element ops.(i) = i / 2 * 2) numbers);
  let expected i = if i < n && i mod 2 = 0 && i + 1 < n then i + 1 else i mod n in
  is "elements" n (to_array t = Array.init (2 * n) expected)

let long_counter n =
  let t = Counter.create 1 in
  let before = Counter.add_all t (Array.init n Fun.id) in
  is "sums" n (before = Array.init n (fun i -> 1 + (i * (i - 1) / 2)));
  is "value" n (Counter.get t = 1 + (n * (n - 1) / 2))

let () =
  Alcotest.run "batched"
    [
      ("op", [ Watchdog.case "no result before it is applied" not_applied ]);
      ( "priority queue",
        [
          Place.case "a push fails alone, with its backtrace" priority_queue;
          Watchdog.case "nobody waits for a comparison that waits" priority_queue_while_waiting;
        ] );
      ( "counter",
        [ Place.case "failures, sums" counter; Watchdog.case "allocates nothing" counter_words ] );
      ("union-find", [ Place.case "failures" union_find; Watchdog.case "many unions" many_unions ]);
      ( "vector",
        [
          Place.case "failures, ends" vector;
          Place.case "nothing popped is kept" vector_keeps_nothing_popped;
        ] );
      ( "bulk forms",
        [
          of_lengths "ordered map" [ 16; 17 ] long_ordered_map;
          of_lengths "hash table" [ 1023; 1024 ] long_hash_table;
          of_lengths "priority queue" [ 16; 17; 127; 128; 513 ] long_priority_queue;
          of_lengths "union-find" [] long_union_find;
          of_lengths "vector" [ 1023; 1024 ] long_vector;
          of_lengths "counter" [ 4095; 4096 ] long_counter;
        ] );
    ]
