module Table = Kcas_data.Hashtbl
module Accumulator = Kcas_data.Accumulator

let hash_table (k : Keys.t) () =
  let table = Table.create ~hashed_type:(module Int) () in
  Array.iteri (fun i key -> Table.replace table key i) k.old;
  [
    Contest.subject In_parallel "kcas"
      ~undo:(fun () -> Array.iter (Table.remove table) k.fresh)
      ~length:(fun () -> Table.length table)
      (Contest.by_tasks (Array.length k.fresh) (fun i -> Table.replace table k.fresh.(i) i));
  ]

let accumulator n () =
  let count = Accumulator.make 0 in
  [
    Contest.subject In_parallel "kcas"
      ~undo:(fun () -> Accumulator.set count 0)
      ~length:(fun () -> Accumulator.get count)
      (Contest.by_tasks n (fun _ -> Accumulator.incr count));
  ]

let hash_table_of_cells size : Cells.map =
  let table = Table.create ~hashed_type:(module Int) () in
  Cells.preload size (Array.iter (fun key -> Table.replace table key key));
  { find = Table.find_opt table; insert = Table.replace table; delete = Table.remove table }

let hash_table_cells = [ hash_table_of_cells ]

let location =
  [
    (fun initial ->
      let place = Kcas.Loc.make initial in
      ((fun () -> Kcas.Loc.get place), fun f -> Kcas.Loc.modify place f));
  ]
