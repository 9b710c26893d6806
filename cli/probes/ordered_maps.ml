open Drover_harness
module Ordered_map = Drover_batched.Ordered_map
module Op = Drover_batched.Op
module Tree_map = Drover_batched.Tree_map
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

let sequential (k : Keys.t) base =
  let tree = ref base in
  Contest.subject In_turn "sequential"
    ~undo:(fun () -> tree := base)
    ~length:(fun () -> Tree_map.length !tree)
    (Contest.singly (Array.length k.fresh) (fun i -> tree := Tree_map.insert !tree k.fresh.(i) i))

let restore map base () = Ordered_map.modify map (fun _ -> (base, ()))

let ours (k : Keys.t) () =
  let map = preloaded k in
  let base = Ordered_map.snapshot map in
  sequential k base
  :: Contest.batched ~undo:(restore map base)
       ~batches:(fun () -> Ordered_map.batch_sizes map)
       ~length:(fun () -> Ordered_map.length map)
       (Array.length k.fresh)
       (fun i -> Ordered_map.insert map k.fresh.(i) i)
       ~all:(fun () -> Ordered_map.insert_all map (Keys.bindings k.fresh))

let in_batches (k : Keys.t) size =
  let subjects () =
    let map = preloaded k in
    let base = Ordered_map.snapshot map in
    sequential k base
    :: Contest.in_batches ~undo:(restore map base)
         ~length:(fun () -> Ordered_map.length map)
         (Array.length k.fresh)
         (fun i -> Op.insert k.fresh.(i) i)
         ~apply:(Ordered_map.apply map)
  in
  Contest.measure (Keys.contest k size) [ subjects ]

let insertions (k : Keys.t) size =
  let stdlib = stdlib k (Array.length k.fresh) (fun ~find:_ ~insert -> insert) in
  let groups = [ ours k; stdlib; Saturn_maps.skip_list k ] in
  let results = Contest.measure (Keys.contest k size) groups in
  Contest.figures results @ Keys.ratios results ~lock:"lock and Stdlib.Map"

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
      ~undo:(restore map (Ordered_map.snapshot map))
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

let run (s : Probe.settings) =
  let k = Keys.make s.size in
  insertions k s.size @ finds_and_insertions k s.size

let probe : Probe.t =
  { name = "ordered-map"; doc = "inserting into a large ordered map, and finding"; run }
