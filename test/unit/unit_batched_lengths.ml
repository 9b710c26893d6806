(* Drover_batched: the bulk forms, around the lengths where they take another way. *)

open Test_support
open Drover_batched

(* In a pool of one domain nobody shares the work, which is a way of its own. *)
let places : Place.t list = [ List.hd Place.all; Place.task 1; Place.task 2 ]

(* A batch is made in pieces from 257 operations on, and in parallel from 8192 on; the structure has
   some [lengths] of its own. *)
let everywhere name ~lengths check =
  let check_all () = List.iter check ([ 0; 1; 256; 257; 8191; 8192 ] @ lengths) in
  Watchdog.case name (fun () -> List.iter (fun (place : Place.t) -> place.call check_all) places)

let is what n found = Alcotest.(check bool) (Printf.sprintf "%s of %d" what n) true found

(* Every key is inserted twice, and the keys that are looked for and deleted are not all bound. *)
let map ~insert_all ~delete_all ~find_all ~validate n =
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

let ordered_map n =
  let open Ordered_map in
  let t = create Int.compare in
  let validate () = validate t in
  map ~insert_all:(insert_all t) ~delete_all:(delete_all t) ~find_all:(find_all t) ~validate n

let hash_table n =
  let open Hash_table in
  let t = create ~hash:Fun.id ~equal:Int.equal () in
  let validate () = validate t in
  map ~insert_all:(insert_all t) ~delete_all:(delete_all t) ~find_all:(find_all t) ~validate n

let priority_queue n =
  let open Priority_queue in
  let t = create Int.compare and numbers = Array.init n Fun.id in
  push_all t (Array.map (fun i -> n - 1 - i) numbers);
  push_all t numbers;
  validate t;
  is "least" n (pop_many t n = Array.map (fun i -> i / 2) numbers);
  is "rest" n (to_array t = Array.map (fun i -> (n + i) / 2) numbers);
  is "all" n (Array.length (pop_many t (n + 1)) = n && length t = 0)

let union_find n =
  let open Union_find in
  let t = create (n + 2) and numbers = Array.init n Fun.id in
  union_all t (Array.map (fun i -> (i, i + 2)) numbers);
  validate t;
  is "sets" n (sets t = 2);
  let near = connected_all t (Array.map (fun i -> (i, i + 1)) numbers) in
  is "odd and even" n (Array.for_all not near);
  is "even" n (Array.for_all Fun.id (connected_all t (Array.map (fun i -> (i, i mod 2)) numbers)))

(* Each place is changed twice, the later time last. *)
let vector n =
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

let counter n =
  let t = Counter.create 1 in
  let before = Counter.add_all t (Array.init n Fun.id) in
  is "sums" n (before = Array.init n (fun i -> 1 + (i * (i - 1) / 2)));
  is "value" n (Counter.get t = 1 + (n * (n - 1) / 2))

let () =
  Alcotest.run "batched lengths"
    [
      ( "bulk forms",
        [
          everywhere "ordered map" ~lengths:[ 16; 17 ] ordered_map;
          everywhere "hash table" ~lengths:[ 1023; 1024 ] hash_table;
          everywhere "priority queue" ~lengths:[ 16; 17; 127; 128 ] priority_queue;
          everywhere "union-find" ~lengths:[] union_find;
          everywhere "vector" ~lengths:[ 1023; 1024 ] vector;
          everywhere "counter" ~lengths:[ 4095; 4096 ] counter;
        ] );
    ]
