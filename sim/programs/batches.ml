(* Batches, and structures whose operations are batched, beside what users write in their place: a lock, or a
   compare-and-set. An operation comes after each 5 us of other work. *)

open Program
module Atomic = Drover_shadow.Shadow.Atomic

(* A loop of [between], and of [op i], which costs [cost], on what [create size] makes. *)
let shared name doc ?(between = 5_000) ~cost create =
  let each = between + cost in
  let of_size size =
    let n = fitting size ~each in
    let prepare () =
      let op, is_right = create n in
      let body i =
        busy between;
        op i
      in
      { go = (fun () -> Loops.parallel_for n body); is_right }
    in
    { work = n * each; operations = n; prepare }
  in
  { name; doc; of_size }

let locked f =
  let mutex = Drover.Mutex.create () in
  fun i -> Drover.Mutex.protect mutex (fun () -> f i)

(* A sum *)

let sum_of n = n * (n - 1) / 2

let batched name doc ~between =
  shared name doc ~between ~cost:2 (fun n ->
      let total = ref 0 in
      let one k =
        total := !total + k;
        true
      and many ks =
        busy (2 * Array.length ks);
        Array.iter (fun k -> total := !total + k) ks
      in
      let batch = Drover.Batch.create ~one many in
      (Drover.Batch.submit batch, fun () -> !total = sum_of n))

let batch between =
  let doc = Printf.sprintf "a batched sum, %s between its operations" (duration between) in
  batched ("batch-" ^ duration between) doc ~between

let sum_batched = batched "sum-batched" "a batched sum, 5us between its operations" ~between:5_000

let sum_lock =
  shared "sum-lock" "the same under a mutex, 5us between" ~cost:2 (fun n ->
      let total = ref 0 in
      (locked (fun i -> total := !total + i), fun () -> !total = sum_of n))

let sum_cas =
  shared "sum-cas" "the same by an atomic step, 5us between" ~cost:2 (fun n ->
      let total = Atomic.make 0 in
      let add i = ignore (Atomic.fetch_and_add total i : int) in
      (add, fun () -> Atomic.get total = sum_of n))

(* A map from keys of which half are there: some 13 comparisons of 10 ns *)

let keys = 8_192
let cost = 130

let compare_keys a b =
  busy 10;
  Int.compare a b

let key i = hash i mod keys

module Map = Map.Make (struct
  type t = int

  let compare = compare_keys
end)

let full_map () =
  List.fold_left (fun m k -> Map.add (2 * k) 0 m) Map.empty (List.init (keys / 2) Fun.id)

let full_batched_map () =
  let map = Ordered_map.create compare_keys in
  Ordered_map.insert_all map (Array.init (keys / 2) (fun k -> (2 * k, 0)));
  map

let rec insert_by_step map i =
  let before = Atomic.get map in
  if not (Atomic.compare_and_set map before (Map.add (key i) i before)) then insert_by_step map i

(* Whether the keys of all operations are there. *)
let has_all n mem () =
  let rec from i = i = n || (mem (key i) && from (i + 1)) in
  from 0

let map name doc create = shared name doc ~cost create

let map_batched =
  map "map-batched" "insertions into a batched ordered map" (fun n ->
      let map = full_batched_map () in
      ((fun i -> Ordered_map.insert map (key i) i), has_all n (Ordered_map.mem map)))

let map_lock =
  map "map-lock" "insertions into a map under a mutex" (fun n ->
      let map = ref (full_map ()) in
      (locked (fun i -> map := Map.add (key i) i !map), has_all n (fun k -> Map.mem k !map)))

let map_cas =
  map "map-cas" "insertions into a map by compare-and-set" (fun n ->
      let map = Atomic.make (full_map ()) in
      (insert_by_step map, has_all n (fun k -> Map.mem k (Atomic.get map))))

(* The same, where one operation of twenty is an insertion, and the others look for a key. *)

let is_insertion i = i mod 20 = 0
let either insert find i = if is_insertion i then insert i else ignore (find (key i) : int option)

let has_inserted n mem () =
  let rec from i = i >= n || (mem (key i) && from (i + 20)) in
  from 0

let lookups name doc create =
  shared name doc ~cost (fun n ->
      let insert, find, mem = create () in
      (either insert find, has_inserted n mem))

let lookups_batched =
  lookups "lookups-batched" "19 of 20 look for a key in a batched ordered map, others insert"
    (fun () ->
      let map = full_batched_map () in
      let insert i = Ordered_map.insert map (key i) i in
      (insert, Ordered_map.find map, Ordered_map.mem map))

let lookups_lock =
  lookups "lookups-lock" "the same in a map under a mutex" (fun () ->
      let map = ref (full_map ()) and mutex = Drover.Mutex.create () in
      let insert i = Drover.Mutex.protect mutex (fun () -> map := Map.add (key i) i !map)
      and find k = Drover.Mutex.protect mutex (fun () -> Map.find_opt k !map) in
      (insert, find, fun k -> Map.mem k !map))

let lookups_cas =
  lookups "lookups-cas" "the same in a map by compare-and-set" (fun () ->
      let map = Atomic.make (full_map ()) in
      ( insert_by_step map,
        (fun k -> Map.find_opt k (Atomic.get map)),
        fun k -> Map.mem k (Atomic.get map) ))

(* A hash table: an operation is a comparison or two of 20 ns *)

module Key = struct
  type t = int

  let equal a b =
    busy 20;
    Int.equal a b

  let hash = Program.hash
end

module Table = Hashtbl.Make (Key)

let table_batched =
  shared "table-batched" "insertions into a batched hash table" ~cost:20 (fun n ->
      let table = Hash_table.create ~hash:Key.hash ~equal:Key.equal () in
      Hash_table.insert_all table (Array.init keys (fun k -> (k, 0)));
      ((fun i -> Hash_table.insert table (key i) i), has_all n (Hash_table.mem table)))

let table_lock =
  shared "table-lock" "insertions into a hash table under a mutex" ~cost:20 (fun n ->
      let table = Table.create keys in
      for k = 0 to keys - 1 do
        Table.replace table k 0
      done;
      (locked (fun i -> Table.replace table (key i) i), has_all n (Table.mem table)))

(* A priority queue of some thousand elements, where each operation takes the first, and adds a later one *)

module Heap = Pqueue.MakeMin (struct
  type t = int

  let compare = compare_keys
end)

let first_elements = Array.init 1_024 hash
let later i = (hash i lsr 1) + (max_int / 2)

let queue_batched =
  shared "queue-batched" "a batched priority queue: one out, one in" ~cost (fun _ ->
      let queue = Priority_queue.create compare_keys in
      Priority_queue.push_all queue first_elements;
      let op i =
        ignore (Priority_queue.pop_min queue : int option);
        Priority_queue.push queue (later i)
      in
      (op, fun () -> Priority_queue.length queue = Array.length first_elements))

let queue_lock =
  shared "queue-lock" "a priority queue under a mutex: one out, one in" ~cost (fun _ ->
      let queue = Heap.create () in
      Array.iter (Heap.add queue) first_elements;
      let op i =
        ignore (Heap.pop_min queue : int option);
        Heap.add queue (later i)
      in
      (locked op, fun () -> Heap.length queue = Array.length first_elements))

let all =
  [
    batch 1_000;
    batch 10_000;
    sum_batched;
    sum_lock;
    sum_cas;
    map_batched;
    map_lock;
    map_cas;
    lookups_batched;
    lookups_lock;
    lookups_cas;
    table_batched;
    table_lock;
    queue_batched;
    queue_lock;
  ]
