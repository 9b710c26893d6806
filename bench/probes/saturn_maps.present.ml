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
