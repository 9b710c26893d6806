(* Each worker counts in a table of its own; the tables are added up. No task writes what another
   reads. *)

let histogram text =
  let make () = Array.make 256 0 and merge = Array.map2 ( + ) in
  let count counts lo hi =
    for i = lo to hi do
      let c = Char.code text.[i] in
      counts.(c) <- counts.(c) + 1
    done;
    counts
  in
  Drover.parallel_fold_range ~start:0
    ~finish:(String.length text - 1)
    ~make ~merge count

let () =
  let counts =
    histogram
      (String.concat "" (List.init 1_000 (fun _ -> "drover drives")))
  in
  String.iter
    (fun c -> Printf.printf "%C %d\n" c counts.(Char.code c))
    "der"
