let rec make path =
  if not (Sys.file_exists path) then begin
    make (Filename.dirname path);
    Sys.mkdir path 0o755
  end

let rec remove path =
  if Sys.is_directory path then begin
    Array.iter (fun name -> remove (Filename.concat path name)) (Sys.readdir path);
    Sys.rmdir path
  end
  else Sys.remove path

let temporary f =
  let root = Filename.temp_dir "drover" "" in
  Fun.protect ~finally:(fun () -> remove root) (fun () -> f root)

let with_tree files f =
  temporary (fun root ->
      let write (path, text) =
        let path = Filename.concat root path in
        make (Filename.dirname path);
        Out_channel.with_open_bin path (fun channel -> output_string channel text)
      in
      List.iter write files;
      f root)
