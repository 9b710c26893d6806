open Drover_harness
module Ordered_map = Drover_batched.Ordered_map
module Op = Drover_batched.Op
module Int_map = Map.Make (Int)

let stdlib (k : Keys.t) n operate () =
  let base = Array.fold_left (fun map key -> Int_map.add key key map) Int_map.empty k.old in
  let map = ref base in
  let find key = Int_map.find_opt key !map in
  let insert i = map := Int_map.add k.fresh.(i) i !map in
  let undo () = map := base and length () = Int_map.cardinal !map in
  Contest.unbatched ~sequential:"Stdlib.Map" ~lock:"lock and Stdlib.Map" ~undo ~length n
    (operate ~find ~insert)

let preloaded k =
  let map = Ordered_map.create Int.compare in
  Keys.preload k (Ordered_map.insert_all map);
  map

(* One map for all. From one thread, it has no batches. *)
let subjects (k : Keys.t) map batched =
  let n = Array.length k.fresh and undo () = Ordered_map.delete_all map k.fresh in
  let length () = Ordered_map.length map in
  let insert i = Ordered_map.insert map k.fresh.(i) i in
  Contest.subject In_turn "sequential" ~undo ~length (Contest.singly n insert)
  :: batched ~undo ~length n

let ours (k : Keys.t) () =
  let map = preloaded k in
  subjects k map (fun ~undo ~length n ->
      Contest.batched ~undo ~length n
        ~batches:(fun () -> Ordered_map.batch_sizes map)
        (fun i -> Ordered_map.insert map k.fresh.(i) i)
        ~all:(fun () -> Ordered_map.insert_all map (Keys.bindings k.fresh)))

let in_batches (k : Keys.t) size =
  let ours () =
    let map = preloaded k in
    subjects k map (fun ~undo ~length n ->
        Contest.in_batches ~undo ~length n
          (fun i -> Op.insert k.fresh.(i) i)
          ~apply:(Ordered_map.apply map))
  in
  Contest.measure (Keys.contest k size) [ ours ]

let insertions (k : Keys.t) size =
  let stdlib = stdlib k (Array.length k.fresh) (fun ~find:_ ~insert -> insert) in
  let groups = [ ours k; stdlib; Saturn_maps.skip_list k ] in
  let results = Contest.measure (Keys.contest k size) groups in
  Contest.figures results
  @ Fork_of_domainslib.(figures ordered_maps)
  @ Keys.ratios results ~lock:"lock and Stdlib.Map"

(* One operation in four inserts; the others find keys that are there, all over the map. *)
let mixed (k : Keys.t) ~find ~insert i =
  if i mod 4 = 0 then insert (i / 4)
  else if Option.is_none (find k.old.(i * 7919 mod Array.length k.old)) then raise Not_found

let ours_mixed (k : Keys.t) n () =
  let map = preloaded k in
  let operate =
    mixed k ~find:(Ordered_map.find map) ~insert:(fun i -> Ordered_map.insert map k.fresh.(i) i)
  in
  [
    Contest.subject In_parallel "implicit"
      ~undo:(fun () -> Ordered_map.delete_all map k.fresh)
      ~batches:(fun () -> Ordered_map.batch_sizes map)
      ~length:(fun () -> Ordered_map.length map)
      (Contest.by_tasks n operate);
  ]

let finds_and_insertions (k : Keys.t) size =
  let n = 4 * Array.length k.fresh in
  let contest = { (Keys.contest k size) with operations = n } in
  let results = Contest.measure contest [ ours_mixed k n; stdlib k n (mixed k) ] in
  let speed name = Contest.speed results name 2 in
  let ratio =
    Probe.ratio ~goal:(At_least 1.) "implicit over lock, 2" (speed "implicit")
      (speed "lock and Stdlib.Map")
  in
  let named (f : Probe.figure) = { f with label = "mixed with finds, " ^ f.label } in
  List.map named (Contest.figures results @ [ ratio ])

(* Ten times as large. *)
let large size =
  let k = Keys.of_lengths ~old:10_000_000 ~fresh:100_000 in
  let results = Contest.measure (Keys.contest k size) [ ours k ] in
  let named (f : Probe.figure) = { f with label = "of 10 million, " ^ f.label } in
  List.map named (Contest.figures results)

let memory_of_large = 4_000_000_000

let large_if_possible size =
  let is_asked = Kernel.by_size size ~tiny:false ~quick:false ~full:true in
  if is_asked && Machine.free_memory () >= memory_of_large then large size else []

let run (s : Probe.settings) =
  let k = Keys.make s.size in
  insertions k s.size @ finds_and_insertions k s.size @ large_if_possible s.size

let probe : Probe.t =
  { name = "ordered-map"; doc = "inserting into a large ordered map, and finding"; run }
