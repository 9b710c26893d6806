open Drover_harness

let program = Filename.concat (Filename.dirname Sys.executable_name) "rayon/forks"
let is_built = Sys.file_exists program

let seconds shape n ~domains =
  let arguments = [ shape; string_of_int n; string_of_int domains ] in
  let output = Unix.open_process_args_in program (Array.of_list (program :: arguments)) in
  let line = In_channel.input_line output in
  match (Unix.close_process_in output, Option.bind line float_of_string_opt) with
  | WEXITED 0, Some seconds -> seconds
  | _ -> failwith (Printf.sprintf "%s does not measure %s" program shape)

let versions shape n = if is_built then [ Kernel.program "rayon" (seconds shape n) ] else []
