(* scan.exe SOURCE...: writes the table of records. *)

let () =
  let sources = List.tl (Array.to_list Sys.argv) in
  set_binary_mode_out stdout true;
  output_value stdout (List.concat_map Records.of_file sources : Records.t)
