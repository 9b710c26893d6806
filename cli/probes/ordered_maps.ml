open Drover_harness
module Ordered_map = Drover_batched.Ordered_map
module Op = Drover_batched.Op
module Tree_map = Drover_batched.Tree_map
module Int_map = Map.Make (Int)

let stdlib (k : Keys.t) () =
  let base = Array.fold_left (fun map key -> Int_map.add key key map) Int_map.empty k.old in
  let map = ref base in
  let insert i = map := Int_map.add k.fresh.(i) i !map in
  let n = Array.length k.fresh in
  let undo () = map := base and length () = Int_map.cardinal !map in
  Contest.unbatched ~sequential:"Stdlib.Map" ~lock:"lock and Stdlib.Map" ~undo ~length n insert

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

let run (s : Probe.settings) =
  let k = Keys.make s.size in
  let groups = [ ours k; stdlib k; Saturn_maps.skip_list k ] in
  let results = Contest.measure (Keys.contest k s.size) groups in
  Contest.figures results @ Keys.ratios results ~lock:"lock and Stdlib.Map"

let probe : Probe.t = { name = "ordered-map"; doc = "inserting into a large ordered map"; run }
