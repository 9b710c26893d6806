let check file =
  let dir = Filename.dirname file in
  let problem =
    if not (Sys.file_exists dir && Sys.is_directory dir) then Some ("there is no directory " ^ dir)
    else if Sys.file_exists file && Sys.is_directory file then Some "it is a directory"
    else
      match Unix.access (if Sys.file_exists file then file else dir) [ W_OK ] with
      | () -> None
      | exception Unix.Unix_error _ -> Some "it is not writable; name another place"
  in
  match problem with None -> Ok () | Some why -> Error (file ^ ": " ^ why)

(* The system's messages do not all have the name. *)
let write file f =
  try Out_channel.with_open_bin file f
  with Sys_error why when not (String.starts_with ~prefix:file why) ->
    raise (Sys_error (file ^ ": " ^ why))
