(* Ordered maps in a storm: tasks, threads and domains operate on one map, singly and in batches, on keys of
   their own and on counters that all share; the comparison waits now and then, and refuses one key. What
   operations answer fits together, counts add up, and snapshots never change. *)

open Test_support
open Drover_batched
module Model = Map.Make (Int)

exception Refused

let expect = Stranger.expect

(* No operation on it takes effect. *)
let poison = 7
let counters = 4 (* the keys from 0 *)
let own_keys = 50

let compare calls x y =
  if x = poison || y = poison then raise Refused;
  if Atomic.fetch_and_add calls 1 mod 5000 = 0 then Drover.sleep 0.;
  Int.compare x y

type t = {
  map : (int, int) Ordered_map.t;
  counts : int Atomic.t array; (* of the increments that have ended *)
}

(* With one key from the beginning: in an empty map the poison would be compared with nothing. *)
let create () =
  let t =
    {
      map = Ordered_map.create (compare (Atomic.make 1));
      counts = Array.init counters (fun _ -> Atomic.make 0);
    }
  in
  Ordered_map.insert t.map 0 1;
  Atomic.incr t.counts.(0);
  t

(* The user of some keys knows what they are bound to. *)
type user = {
  t : t;
  rng : Random.State.t;
  first : int;
  mutable model : int Model.t;
  mutable taken : ((int, int) Tree_map.t * (int * int) array) list;
}

let user t rng id = { t; rng; first = 10 + (id * own_keys); model = Model.empty; taken = [] }
let key u = u.first + Random.State.int u.rng own_keys
let bound u k = Model.find_opt k u.model
let one_more n = Some (1 + Option.value n ~default:0)

let increment u =
  let k = Random.State.int u.rng counters in
  Ordered_map.update u.t.map k one_more;
  Atomic.incr u.t.counts.(k)

let refused u =
  let m = u.t.map in
  let operate =
    match Random.State.int u.rng 5 with
    | 0 -> fun () -> Ordered_map.insert m poison 0
    | 1 -> fun () -> ignore (Ordered_map.add m poison 0 : bool)
    | 2 -> fun () -> ignore (Ordered_map.delete m poison : bool)
    | 3 -> fun () -> Ordered_map.update m poison one_more
    | _ -> fun () -> Ordered_map.update m (key u) (fun _ -> raise Refused)
  in
  match operate () with () -> failwith "not refused" | exception Refused -> ()

let single u =
  let m = u.t.map and k = key u and v = Random.State.bits u.rng in
  match Random.State.int u.rng 7 with
  | 0 ->
      Ordered_map.insert m k v;
      u.model <- Model.add k v u.model
  | 1 -> Option.iter (Ordered_map.insert m k) (bound u k)
  | 2 ->
      expect "added" (not (Model.mem k u.model)) (Ordered_map.add m k v);
      if not (Model.mem k u.model) then u.model <- Model.add k v u.model
  | 3 ->
      expect "deleted" (Model.mem k u.model) (Ordered_map.delete m k);
      u.model <- Model.remove k u.model
  | 4 ->
      Ordered_map.update m k one_more;
      u.model <- Model.update k one_more u.model
  | 5 -> expect "found" (bound u k) (Ordered_map.find m k)
  | _ -> refused u

(* Operations on different keys of one's own, on a counter, and on the poison. *)
let batch u =
  let c = Random.State.int u.rng counters in
  let keys = Array.init (1 + Random.State.int u.rng own_keys) (fun i -> u.first + i) in
  let deletes = Array.map (fun _ -> Random.State.bool u.rng) keys in
  let op k is_delete = if is_delete then Op.delete k else Op.update k one_more in
  let ops = Array.map2 op keys deletes in
  let poisoned = Op.insert poison 0 in
  Ordered_map.apply u.t.map (Array.append ops [| Op.update c one_more; poisoned |]);
  Atomic.incr u.t.counts.(c);
  (match Op.result poisoned with _ -> failwith "not refused" | exception Refused -> ());
  Array.iteri
    (fun i op ->
      let k = Op.key op in
      expect "result" (bound u k) (Op.result op);
      let after = if deletes.(i) then None else one_more (bound u k) in
      u.model <- Model.update k (fun _ -> after) u.model)
    ops

let bulk u =
  let keys = Array.init (Random.State.int u.rng 20) (fun _ -> key u) in
  match Random.State.int u.rng 3 with
  | 0 ->
      Ordered_map.insert_all u.t.map (Array.map (fun k -> (k, -k)) keys);
      u.model <- Array.fold_left (fun model k -> Model.add k (-k) model) u.model keys
  | 1 ->
      Ordered_map.delete_all u.t.map keys;
      u.model <- Array.fold_left (fun model k -> Model.remove k model) u.model keys
  | _ -> expect "all found" (Array.map (bound u) keys) (Ordered_map.find_all u.t.map keys)

let mine u m = Tree_map.range m ~lo:u.first ~hi:(u.first + own_keys - 1)

let expect_mine u what m =
  expect what (Model.bindings u.model) (Array.to_list (Tree_map.to_array m))

let whole u =
  if Random.State.bool u.rng then begin
    let snapshot = Ordered_map.snapshot u.t.map in
    expect_mine u "mine" (mine u snapshot);
    u.taken <- (snapshot, Tree_map.to_array snapshot) :: u.taken
  end
  else begin
    let k = key u in
    let before = Ordered_map.modify u.t.map (fun m -> (Tree_map.update m k one_more, mine u m)) in
    expect_mine u "mine, before" before;
    u.model <- Model.update k one_more u.model
  end

let act u =
  match Random.State.int u.rng 40 with
  | 0 -> whole u
  | 1 -> batch u
  | 2 -> bulk u
  | n -> if n < 15 then increment u else single u

let use u n () =
  for _ = 1 to n do
    act u
  done;
  u

let check t users =
  Ordered_map.validate t.map;
  let count (k : int) n = if n > 0 then Some (k, n) else None in
  let counts = List.mapi count (Array.to_list (Array.map Atomic.get t.counts)) in
  let all = List.concat_map (fun u -> Model.bindings u.model) users in
  let found = Tree_map.to_array (Ordered_map.snapshot t.map) in
  Alcotest.(check (list (pair int int)))
    "all bindings"
    (List.filter_map Fun.id counts @ List.sort Stdlib.compare all)
    (Array.to_list found);
  let is_kept (snapshot, bindings) =
    Tree_map.validate snapshot;
    Tree_map.to_array snapshot = bindings
  in
  Alcotest.(check bool)
    "snapshots" true
    (List.for_all (fun u -> List.for_all is_kept u.taken) users)

let operations = 2000

let storm domains () =
  for seed = 1 to 2 do
    let rng = Random.State.make [| seed; domains |] in
    let t = create () in
    let use id = use (user t (Random.State.split rng) id) operations in
    let tasks = List.init (2 * domains) use in
    let thread = Stranger.thread (use 100) and domain = Stranger.domain (use 101) in
    let other = Stranger.thread (fun () -> Drover.run ~domains:2 (use 102)) in
    let inside = Drover.run ~domains (fun () -> Drover.all tasks) in
    check t (inside @ [ thread (); domain (); other () ])
  done

let () =
  let on n = Watchdog.case ~seconds:600. (Printf.sprintf "%d domains" n) (storm n) in
  Alcotest.run "stress maps" [ ("ordered map", List.map on [ 1; 2; 4; 8 ]) ]
