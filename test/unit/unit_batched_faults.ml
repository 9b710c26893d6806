(* Single operations on batched structures while a callback raises at the n-th allocation of the
   structures' own code, for each n: an operation that raises is applied as a whole or not at all, and
   one that returns is applied. *)

open Test_support
open Drover_batched
module Map = Map.Make (Int)

exception Break

let interrupted moment f = Interrupted.raising ~within:[ "Drover_batched" ] moment Break f

type 's structure = {
  create : unit -> 's;
  perform : 's -> int -> unit; (* the i-th operation *)
  model : int list -> int list; (* what is there after these operations *)
  contents : 's -> int list;
  validate : 's -> unit;
}

let check name s =
  let print l = String.concat " " (List.map string_of_int l) in
  let prefix k = List.init k Fun.id in
  let law k moment =
    let n = Interrupted.number moment in
    let t = s.create () in
    List.iter (s.perform t) (prefix k);
    let result = interrupted moment (fun () -> s.perform t k) in
    let has_returned = Option.is_some result in
    let found = s.contents t in
    let whole = s.model (prefix (k + 1)) and nothing = s.model (prefix k) in
    if not (found = whole || ((not has_returned) && found = nothing)) then
      Alcotest.failf "%s, operation %d, allocation %d: %s, and there is %s, not %s" name k n
        (if has_returned then "returned" else "raised")
        (print found) (print whole);
    (match s.validate t with
    | () -> ()
    | exception Failure what -> Alcotest.failf "%s, operation %d, allocation %d: %s" name k n what);
    (* It goes on. *)
    s.perform t 1000
  in
  List.iter (fun k -> ignore (Interrupted.at_each (law k) : int)) (prefix 60)

(* The operation [i] on maps: inserts at first, then all kinds. *)
let kind i = if i < 25 then 0 else i mod 3
let key i = i * 37 mod 41

let map_model ops =
  let apply m i =
    match kind i with
    | 0 -> Map.add (key i) i m
    | 1 -> Map.remove (key i) m
    | _ -> Map.update (key i) (function None -> Some i | Some v -> Some (v + i)) m
  in
  List.concat_map (fun (k, v) -> [ k; v ]) (Map.bindings (List.fold_left apply Map.empty ops))

let map_perform insert delete update t i =
  match kind i with
  | 0 -> insert t (key i) i
  | 1 -> ignore (delete t (key i) : bool)
  | _ -> update t (key i) (function None -> Some i | Some v -> Some (v + i))

let flat bindings =
  List.concat_map (fun (k, v) -> [ k; v ]) (List.sort compare (Array.to_list bindings))

let ordered_map ~snapshots =
  {
    create = (fun () -> Ordered_map.create Int.compare);
    perform =
      (fun t i ->
        if snapshots && i mod 7 = 0 then ignore (Ordered_map.snapshot t);
        map_perform Ordered_map.insert Ordered_map.delete Ordered_map.update t i);
    model = map_model;
    contents = (fun t -> flat (Tree_map.to_array (Ordered_map.snapshot t)));
    validate = Ordered_map.validate;
  }

let skip_list =
  {
    create = (fun () -> Skip_list.create Int.compare);
    perform = map_perform Skip_list.insert Skip_list.delete Skip_list.update;
    model = map_model;
    contents = (fun t -> flat (Skip_list.to_array t));
    validate = Skip_list.validate;
  }

let hash_table =
  {
    create = (fun () -> Hash_table.create ~hash:(fun k -> k mod 7) ~equal:Int.equal ());
    perform = map_perform Hash_table.insert Hash_table.delete Hash_table.update;
    model = map_model;
    contents = (fun t -> flat (Hash_table.to_array t));
    validate = Hash_table.validate;
  }

let priority_queue =
  let pops i = i mod 3 = 2 in
  {
    create = (fun () -> Priority_queue.create Int.compare);
    perform =
      (fun t i ->
        if pops i then ignore (Priority_queue.pop_min t) else Priority_queue.push t (key i));
    model =
      List.fold_left
        (fun l i ->
          if pops i then match l with [] -> [] | _ :: l -> l else List.sort compare (key i :: l))
        [];
    contents = (fun t -> Array.to_list (Priority_queue.to_array t));
    validate = Priority_queue.validate;
  }

let vector =
  let change l i = List.mapi (fun j x -> if j = i / 4 then x + 1000 else x) l in
  {
    create = (fun () -> Vector.create ());
    perform =
      (fun t i ->
        match i mod 4 with
        | 2 -> Vector.update t (i / 4) (fun x -> x + 1000)
        | 3 when i > 30 -> ignore (Vector.pop t : int option)
        | _ -> ignore (Vector.append t i : int));
    model =
      List.fold_left
        (fun l i ->
          match i mod 4 with
          | 2 -> change l i
          | 3 when i > 30 -> List.filteri (fun j _ -> j < List.length l - 1) l
          | _ -> l @ [ i ])
        [];
    contents = (fun t -> Array.to_list (Vector.to_array t));
    validate = ignore;
  }

let counter =
  {
    create = (fun () -> Counter.create 0);
    perform = (fun t i -> ignore (Counter.add t i : int));
    model = (fun l -> [ List.fold_left ( + ) 0 l ]);
    contents = (fun t -> [ Counter.get t ]);
    validate = ignore;
  }

let union_find =
  {
    create = (fun () -> Union_find.create 20);
    perform = (fun t i -> ignore (Union_find.union t (i mod 20) (i * 7 mod 20) : bool));
    model =
      (fun l ->
        let t = Union_find.create 20 in
        List.iter (fun i -> ignore (Union_find.union t (i mod 20) (i * 7 mod 20) : bool)) l;
        [ Union_find.sets t ]);
    contents = (fun t -> [ Union_find.sets t ]);
    validate = Union_find.validate;
  }

(* A batch that is handed in: what it says of an operation is so. *)
let batches () =
  let law moment =
    let t = Ordered_map.create Int.compare in
    Ordered_map.insert_all t (Array.init 40 (fun i -> (2 * i, i)));
    let ops =
      Array.init 40 (fun i ->
          let key = i * 37 mod 80 in
          if i mod 2 = 0 then Op.insert key (1000 + i) else Op.delete key)
    in
    ignore (interrupted moment (fun () -> Ordered_map.apply t ops) : unit option);
    Ordered_map.validate t;
    let check_op i op =
      match Op.result op with
      | _ ->
          let wanted = if i mod 2 = 0 then Some (1000 + i) else None in
          Alcotest.(check (option int)) "applied" wanted (Ordered_map.find t (Op.key op))
      | exception (Break | Invalid_argument _) -> ()
    in
    Array.iteri check_op ops;
    Ordered_map.insert t 500 1
  in
  ignore (Interrupted.at_each law : int)

let () =
  let case name s = Watchdog.case name (fun () -> check name s) in
  Alcotest.run "batched faults"
    [
      ( "a callback raises",
        [
          case "counter" counter;
          case "hash table" hash_table;
          case "ordered map" (ordered_map ~snapshots:false);
          case "ordered map with snapshots" (ordered_map ~snapshots:true);
          Watchdog.case "ordered map, a batch" batches;
          case "priority queue" priority_queue;
          case "skip list" skip_list;
          case "union-find" union_find;
          case "vector" vector;
        ] );
    ]
