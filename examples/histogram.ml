(* Each piece counts in a table of its own; the tables are added up. No task writes what another
   reads. *)

let histogram text =
  let count lo hi =
    let counts = Array.make 256 0 in
    for i = lo to hi do
      let c = Char.code text.[i] in
      counts.(c) <- counts.(c) + 1
    done;
    counts
  in
  let finish = String.length text - 1 and init = Array.make 256 0 in
  Drover.parallel_reduce_range ~start:0 ~finish ~init ~combine:(Array.map2 ( + )) count

let () =
  let counts = histogram (String.concat "" (List.init 1_000 (fun _ -> "drover drives"))) in
  String.iter (fun c -> Printf.printf "%C %d\n" c counts.(Char.code c)) "der"
