type t = string

let find name =
  let program = Filename.concat (Filename.dirname Sys.executable_name) name in
  if Sys.file_exists program then Some program else None

let numbers program arguments =
  let output = Unix.open_process_args_in program (Array.of_list (program :: arguments)) in
  let lines = In_channel.input_lines output in
  match (Unix.close_process_in output, List.map float_of_string_opt lines) with
  | WEXITED 0, numbers when List.for_all Option.is_some numbers -> List.filter_map Fun.id numbers
  | _ -> failwith (String.concat " " (program :: arguments) ^ " does not measure")
