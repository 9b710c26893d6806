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
    let is_told op = Op.is_settled op = took_effect op in
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

let () =
  Alcotest.run "batched maps"
    [
      ("hash table", [ everywhere "looks and deletions where there are few bindings" few_bindings ]);
      ( "equal keys",
        [
          everywhere "ordered map" bound_keys_of_ordered_map;
          everywhere "hash table" bound_keys_of_hash_table;
        ] );
      ( "a batch that is stopped",
        [
          Watchdog.case "ordered map" stopped_ordered_map;
          Watchdog.case "hash table" stopped_hash_table;
        ] );
      ("comparison", [ everywhere "a key that is not equal to itself" nowhere_equal ]);
    ]
