(* The value of a position of connect four, by alpha-beta as in the cookbook: the first move alone,
   then the others in parallel. *)

open Alpha_beta

let value search (board, depth) =
  search board depth ~alpha:(-depth - 1) ~beta:(depth + 1)

let kernel =
  Drover_programs.Program.kernel ~name:"connect-four"
    ~doc:"connect four: alpha-beta as in the cookbook" ~sizes:(8, 13, 15)
    ~about:(Printf.sprintf "%d moves from the empty board")
    ~input:(fun depth -> (empty, depth))
    ~show:string_of_int ~serial:(value serial) ~drover:(value parallel) ()
