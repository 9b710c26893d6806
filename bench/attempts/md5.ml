(* The digests of many files, by the cookbook's recipe for reading them. *)

let rec files path =
  if Sys.is_directory path then (
    let names = Sys.readdir path in
    Array.sort String.compare names;
    List.concat_map
      (fun name -> files (Filename.concat path name))
      (Array.to_list names))
  else [ path ]

let serial root = List.map Digest.file (files root)
let drover root = Drover.List.map Digest.file (files root)

let kernel =
  Drover_programs.Program.kernel ~name:"md5"
    ~doc:"the digests of many files: List.map" ~sizes:(12, 400, 2_000)
    ~about:(Printf.sprintf "%d files")
    ~input:Files.folder
    ~show:(fun digests ->
      Digest.to_hex (Digest.string (String.concat "" digests)))
    ~serial ~drover ()
