(* A pipe or a device cannot be replaced. *)
let is_special file = Sys.file_exists file && not (Sys.is_regular_file file)

let check file =
  let dir = Filename.dirname file in
  let problem =
    if not (Sys.file_exists dir && Sys.is_directory dir) then Some ("there is no directory " ^ dir)
    else if Sys.file_exists file && Sys.is_directory file then Some "it is a directory"
    else
      let written =
        if is_special file then [ file ]
        else if Sys.file_exists file then [ file; dir ]
        else [ dir ]
      in
      match List.iter (fun file -> Unix.access file [ W_OK ]) written with
      | () -> None
      | exception Unix.Unix_error _ -> Some "it is not writable; name another place"
  in
  match problem with None -> Ok () | Some why -> Error (file ^ ": " ^ why)

(* Behind a link, the file that it names. *)
let replace file f =
  let file = if Sys.file_exists file then Unix.realpath file else file in
  let beside = file ^ ".part" in
  try
    Out_channel.with_open_bin beside f;
    Sys.rename beside file
  with exn ->
    (try Sys.remove beside with Sys_error _ -> ());
    raise exn

(* The system's messages do not all have the name. *)
let write file f =
  try if is_special file then Out_channel.with_open_bin file f else replace file f
  with Sys_error why when not (String.starts_with ~prefix:file why) ->
    raise (Sys_error (file ^ ": " ^ why))
