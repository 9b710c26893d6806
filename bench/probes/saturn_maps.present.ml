let subject (k : Keys.t) ~add ~remove ~length =
  Array.iteri (fun i key -> ignore (add key i : bool)) k.old;
  let undo () = Array.iter (fun key -> ignore (remove key : bool)) k.fresh in
  let insert i = ignore (add k.fresh.(i) i : bool) in
  [
    Contest.subject In_parallel "saturn" ~undo ~length
      (Contest.by_tasks (Array.length k.fresh) insert);
  ]

(* Saturn's default height is for a thousand bindings. *)
let skip_list k () =
  let open Saturn.Skiplist in
  let list = create ~max_height:20 ~compare:Int.compare () in
  subject k ~add:(try_add list) ~remove:(try_remove list) ~length:(fun () -> length list)

let hash_table k () =
  let open Saturn.Htbl in
  let table = create ~hashed_type:(module Int) () in
  subject k ~add:(try_add table) ~remove:(try_remove table) ~length:(fun () -> length table)

let skip_list_of_cells size : Cells.map =
  let open Saturn.Skiplist in
  let max_height = if size > 1000 then 20 else 10 in
  let list = create ~max_height ~compare:Int.compare () in
  let insert key value = ignore (try_add list key value : bool) in
  Cells.preload size (Array.iter (fun key -> insert key key));
  { find = find_opt list; insert; delete = (fun key -> ignore (try_remove list key : bool)) }

let hash_table_of_cells size : Cells.map =
  let open Saturn.Htbl in
  let table = create ~hashed_type:(module Int) () in
  let rec insert key value =
    if not (try_set table key value || try_add table key value) then insert key value
  in
  Cells.preload size (Array.iter (fun key -> insert key key));
  { find = find_opt table; insert; delete = (fun key -> ignore (try_remove table key : bool)) }

let skip_list_cells = [ skip_list_of_cells ]
let hash_table_cells = [ hash_table_of_cells ]
