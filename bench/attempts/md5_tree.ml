(* One digest of a folder: of the digests of all that is in it. *)

let rec digest map path =
  if Sys.is_directory path then begin
    let names = Sys.readdir path in
    Array.sort String.compare names;
    let within =
      map (fun name -> digest map (Filename.concat path name)) names
    in
    Digest.string (String.concat "" (Array.to_list within))
  end
  else Digest.file path

let serial = digest Array.map
let drover = digest Drover.Array.map

let kernel =
  Drover_programs.Program.kernel ~name:"md5-tree"
    ~doc:"the digest of a folder: Array.map, nested" ~sizes:(12, 400, 2_000)
    ~about:(Printf.sprintf "%d files")
    ~input:Files.folder ~show:Digest.to_hex ~serial ~drover ()
