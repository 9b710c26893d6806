(* Open MPI, those that use PMIx, and MPICH and its like. *)
let variables = [ "OMPI_COMM_WORLD_RANK"; "PMIX_RANK"; "PMI_RANK" ]

let number =
  List.find_map (fun name -> Option.bind (Sys.getenv_opt name) int_of_string_opt) variables

let own_file name =
  match number with
  | None -> name
  | Some rank ->
      Printf.sprintf "%s.%d%s" (Filename.remove_extension name) rank (Filename.extension name)
