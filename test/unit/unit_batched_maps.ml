(* Drover_batched: batches for maps that random ones seldom are like. *)

open Test_support
open Drover_batched

let everywhere name f =
  let call (place : Place.t) = place.call f in
  Watchdog.case name (fun () ->
      List.iter call (List.hd Place.all :: List.map Place.task [ 1; 2; 4 ]))

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

let bound_keys_of_skip_list () =
  let t = Skip_list.create compare_folded in
  bound_keys ~apply:(Skip_list.apply t) ~keys:(keys_of Skip_list.iter t) ()

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
  Alcotest.(check bool) "ends" true (Ordered_map.length t > 0);
  let t = Skip_list.create compare_floats in
  Skip_list.insert_all t bindings;
  Alcotest.(check bool) "ends" true (Skip_list.length t > 0)

let () =
  Alcotest.run "batched maps"
    [
      ("hash table", [ everywhere "looks and deletions where there are few bindings" few_bindings ]);
      ( "equal keys",
        [
          everywhere "ordered map" bound_keys_of_ordered_map;
          everywhere "skip list" bound_keys_of_skip_list;
          everywhere "hash table" bound_keys_of_hash_table;
        ] );
      ("comparison", [ everywhere "a key that is not equal to itself" nowhere_equal ]);
    ]
