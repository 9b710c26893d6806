module Table = Kcas_data.Hashtbl

(* Saturn's default height is for a thousand bindings. *)
let skip_list size : Cells.map =
  let open Saturn.Skiplist in
  let max_height = if size > 1000 then 20 else 10 in
  let list = create ~max_height ~compare:Int.compare () in
  let insert key value = ignore (try_add list key value : bool) in
  Cells.preload size (Array.iter (fun key -> insert key key));
  { find = find_opt list; insert; delete = (fun key -> ignore (try_remove list key : bool)) }

let saturn_table size : Cells.map =
  let open Saturn.Htbl in
  let table = create ~hashed_type:(module Int) () in
  let rec insert key value =
    if not (try_set table key value || try_add table key value) then insert key value
  in
  Cells.preload size (Array.iter (fun key -> insert key key));
  { find = find_opt table; insert; delete = (fun key -> ignore (try_remove table key : bool)) }

let kcas_table size : Cells.map =
  let table = Table.create ~hashed_type:(module Int) () in
  Cells.preload size (Array.iter (fun key -> Table.replace table key key));
  { find = Table.find_opt table; insert = Table.replace table; delete = Table.remove table }

let location initial =
  let place = Kcas.Loc.make initial in
  ((fun () -> Kcas.Loc.get place), fun f -> Kcas.Loc.modify place f)

let maps = [ ("saturn", skip_list) ]
let tables = [ ("saturn", saturn_table); ("kcas", kcas_table) ]
let places = [ ("kcas", location) ]
