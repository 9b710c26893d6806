module Hash_table = Drover_batched.Hash_table
module Table = Hashtbl.Make (Int)

let hash_table size : Cells.map =
  let table = Hash_table.create ~hash:Int.hash ~equal:Int.equal () in
  Cells.preload size (fun keys -> Hash_table.insert_all table (Array.map (fun k -> (k, k)) keys));
  {
    find = Hash_table.find table;
    insert = Hash_table.insert table;
    delete = (fun key -> ignore (Hash_table.delete table key : bool));
  }

let stdlib size : Cells.map =
  let table = Table.create 16 in
  Cells.preload size (Array.iter (fun key -> Table.replace table key key));
  { find = Table.find_opt table; insert = Table.replace table; delete = Table.remove table }

let subjects =
  let rival name create = Cells.rival name (Cells.of_map create) in
  [
    Cells.serial (Cells.of_map stdlib);
    Cells.ours "table" ~rivals:[ "mutex"; "saturn"; "kcas" ] (Cells.of_map hash_table);
    rival "mutex" (fun size -> Cells.locked_map (stdlib size));
  ]
  @ List.map (fun (name, create) -> rival name create) Peers.tables

let probe =
  Cells.probe ~name:"table-cells"
    ~doc:"hash tables in loops, ns: keys, share of look-ups, work between, domains"
    ~look_ups:[ 50; 90; 100 ] subjects
