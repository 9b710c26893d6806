(* Operations on batched structures while something raises at the n-th allocation of the structures'
   own code, or at the n-th safepoint, for each n: an operation that raises is applied as a whole or
   not at all, and one that returns is applied. *)

open Test_support
open Drover_batched
module Map = Map.Make (Int)

exception Break

type interrupted = { interrupted : 'a. Interrupted.moment -> (unit -> 'a) -> 'a option }

(* All happens on the calling thread. What is raised between two tasks comes out of [run]. *)
let here interrupt moment f =
  match Drover.run ~domains:1 (fun () -> interrupt moment Break f) with
  | result -> result
  | exception Break -> None

let at_allocation =
  let raising moment = Interrupted.raising ~within:[ "Drover_batched" ] moment in
  { interrupted = (fun moment f -> here raising moment f) }

let at_safepoint =
  { interrupted = (fun moment f -> here Interrupted.raising_at_safepoint moment f) }

(* What was raised is raised by the operation, is a result, or is reported. *)
let is_reported = Atomic.make false
let () = Drover.Promise.on_unawaited_failure (fun _ _ -> Atomic.set is_reported true)

let check_not_lost moment ~raised =
  let is_lost = Interrupted.has_come moment && not (raised || Atomic.get is_reported) in
  Alcotest.(check bool) "lost" false is_lost;
  Atomic.set is_reported false

let at_each law = Alcotest.(check bool) "it was tried" true (Interrupted.at_each law > 0)

type 's structure = {
  create : unit -> 's;
  perform : 's -> int -> unit; (* the i-th operation *)
  model : int list -> int list; (* what is there after these operations *)
  contents : 's -> int list;
  validate : 's -> unit;
}

let check { interrupted } name s =
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
      Alcotest.failf "%s, operation %d, at %d: %s, and there is %s, not %s" name k n
        (if has_returned then "returned" else "raised")
        (print found) (print whole);
    (match s.validate t with
    | () -> ()
    | exception Failure what -> Alcotest.failf "%s, operation %d, at %d: %s" name k n what);
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

module type MAP = sig
  type t

  val create : unit -> t
  val apply : t -> (int, int) Op.t array -> unit
  val insert_all : t -> (int * int) array -> unit
  val insert : t -> int -> int -> unit
  val find : t -> int -> int option
  val validate : t -> unit
end

module Ordered = struct
  include Ordered_map

  type t = (int, int) Ordered_map.t

  let create () = Ordered_map.create Int.compare
end

module Skip = struct
  include Skip_list

  type t = (int, int) Skip_list.t

  let create () = Skip_list.create Int.compare
end

module Hash = struct
  include Hash_table

  type t = (int, int) Hash_table.t

  let create () = Hash_table.create ~hash:Fun.id ~equal:Int.equal ()
end

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

(* A batch that is handed in: what it says of an operation is so, and what it does not speak of
   stays. *)

let size = 40 (* enough to be divided *)

let map_batch ~filled (module M : MAP) { interrupted } =
  let law moment =
    let t = M.create () in
    if filled then M.insert_all t (Array.init size (fun i -> (2 * i, i)));
    let ops =
      Array.init size (fun i ->
          let key = i * 37 mod (2 * size) in
          if i mod 2 = 0 then Op.insert key (1000 + i) else Op.delete key)
    in
    let result = interrupted moment (fun () -> M.apply t ops) in
    let has_failed op = match Op.result op with _ -> false | exception Break -> true in
    check_not_lost moment ~raised:(Option.is_none result || Array.exists has_failed ops);
    M.validate t;
    let untouched =
      Array.init (2 * size) (fun key -> if filled && key mod 2 = 0 then Some (key / 2) else None)
    in
    let binding = Alcotest.(option int) in
    let check_op i op =
      let wanted = if i mod 2 = 0 then Some (1000 + i) else None in
      let found = M.find t (Op.key op) in
      (match Op.result op with
      | before ->
          Alcotest.check binding "before" untouched.(Op.key op) before;
          Alcotest.check binding "applied" wanted found
      | exception (Break | Invalid_argument _) ->
          let is_so = List.mem found [ wanted; untouched.(Op.key op) ] in
          Alcotest.(check bool) "applied or not" true is_so);
      untouched.(Op.key op) <- found
    in
    Array.iteri check_op ops;
    Array.iteri
      (fun key wanted -> Alcotest.check binding "as before" wanted (M.find t key))
      untouched;
    M.insert t 500 1
  in
  at_each law

(* All of it, or nothing. *)
let queue_batch { interrupted } =
  let law moment =
    let t = Priority_queue.create Int.compare in
    let contents () = Array.to_list (Priority_queue.to_array t) in
    let some first = List.init size (fun i -> first + (3 * i)) in
    Priority_queue.push_all t (Array.of_list (some 0));
    let both = List.sort Int.compare (some 0 @ some 1) in
    let push () = Priority_queue.push_all t (Array.of_list (some 1)) in
    let has_raised = Option.is_none (interrupted moment push) in
    check_not_lost moment ~raised:has_raised;
    Priority_queue.validate t;
    let now = contents () in
    if not (now = both || (has_raised && now = some 0)) then Alcotest.fail "pushed in part";
    let popped = interrupted moment (fun () -> Priority_queue.pop_many t size) in
    let all = List.length now in
    let rest = List.filteri (fun i _ -> i >= Int.min size all) now in
    match popped with
    | Some first -> Alcotest.(check (list int)) "all" now (Array.to_list first @ contents ())
    | None ->
        let left = contents () in
        if left <> now && left <> rest then Alcotest.fail "popped in part"
  in
  at_each law

let vector_batch { interrupted } =
  let law moment =
    let t = Vector.create () in
    let some first = List.init size (fun i -> first + i) in
    ignore (Vector.append_all t (Array.of_list (some 0)) : int);
    let result = interrupted moment (fun () -> Vector.append_all t (Array.of_list (some size))) in
    let found = Array.to_list (Vector.to_array t) in
    if not (found = some 0 @ some size || (Option.is_none result && found = some 0)) then
      Alcotest.fail "appended in part"
  in
  at_each law

let union_batch { interrupted } =
  let law moment =
    let t = Union_find.create size in
    let pairs = Array.init size (fun i -> (i, i * 7 mod size)) in
    ignore (interrupted moment (fun () -> Union_find.union_all t pairs) : unit option);
    Union_find.validate t;
    Union_find.union_all t pairs;
    Array.iter
      (fun (x, y) -> Alcotest.(check bool) "united" true (Union_find.connected t x y))
      pairs
  in
  at_each law

let () =
  (* Workers block what has a handler when they begin. *)
  Sys.set_signal Sys.sigusr2 (Signal_handle ignore);
  let cases interrupted =
    let case name f = Watchdog.case name (fun () -> f interrupted) in
    let one name s = case name (fun interrupted -> check interrupted name s) in
    [
      one "counter" counter;
      one "hash table" hash_table;
      one "ordered map" (ordered_map ~snapshots:false);
      one "ordered map with snapshots" (ordered_map ~snapshots:true);
      one "priority queue" priority_queue;
      one "skip list" skip_list;
      one "union-find" union_find;
      one "vector" vector;
      case "hash table, a batch" (map_batch ~filled:true (module Hash));
      case "ordered map, a batch" (map_batch ~filled:true (module Ordered));
      case "ordered map, the first batch" (map_batch ~filled:false (module Ordered));
      case "priority queue, a batch" queue_batch;
      case "skip list, a batch" (map_batch ~filled:true (module Skip));
      case "union-find, a batch" union_batch;
      case "vector, a batch" vector_batch;
    ]
  in
  Alcotest.run "batched faults"
    [ ("at an allocation", cases at_allocation); ("at a safepoint", cases at_safepoint) ]
