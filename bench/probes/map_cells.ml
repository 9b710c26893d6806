module Ordered_map = Drover_batched.Ordered_map
module Int_map = Map.Make (Int)

let bindings = Array.map (fun key -> (key, key))

let ordered_map size : Cells.map =
  let map = Ordered_map.create Int.compare in
  Cells.preload size (fun keys -> Ordered_map.insert_all map (bindings keys));
  {
    find = Ordered_map.find map;
    insert = Ordered_map.insert map;
    delete = (fun key -> ignore (Ordered_map.delete map key : bool));
  }

let preloaded size =
  let map = ref Int_map.empty in
  Cells.preload size (Array.iter (fun key -> map := Int_map.add key key !map));
  !map

let stdlib size : Cells.map =
  let map = ref (preloaded size) in
  {
    find = (fun key -> Int_map.find_opt key !map);
    insert = (fun key value -> map := Int_map.add key value !map);
    delete = (fun key -> map := Int_map.remove key !map);
  }

(* How to read and how to change what one place holds. *)
let in_place place size : Cells.map =
  let get, modify = place (preloaded size) in
  {
    find = (fun key -> Int_map.find_opt key (get ()));
    insert = (fun key value -> modify (fun map -> Int_map.add key value map));
    delete = (fun key -> modify (fun map -> Int_map.remove key map));
  }

let atomic initial =
  let place = Atomic.make initial in
  let rec modify f =
    let before = Atomic.get place in
    if not (Atomic.compare_and_set place before (f before)) then modify f
  in
  ((fun () -> Atomic.get place), modify)

let subjects =
  let ours name ~rivals create = Cells.ours name ~rivals (Cells.of_map create) in
  let rival name create = Cells.rival name (Cells.of_map create) in
  [
    Cells.serial (Cells.of_map stdlib);
    ours "map" ~rivals:[ "mutex"; "atomic"; "saturn"; "kcas" ] ordered_map;
    rival "mutex" (fun size -> Cells.locked_map (stdlib size));
    rival "atomic" (in_place atomic);
    ours "own batch" ~rivals:[ "mutex" ] (fun size -> Cells.batched_map (stdlib size));
  ]
  @ List.map (fun (name, create) -> rival name create) Peers.maps
  @ List.map (fun (name, place) -> rival name (in_place place)) Peers.places

let probe =
  Cells.probe ~name:"map-cells"
    ~doc:"ordered maps in loops, ns: keys, share of look-ups, work between, domains"
    ~look_ups:[ 50; 90; 100 ] subjects
