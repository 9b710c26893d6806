(* Files for inputs, which end with the program. *)

let write path text =
  Out_channel.with_open_bin path (fun oc -> output_string oc text);
  at_exit (fun () -> Sys.remove path)

let temporary text =
  let path = Filename.temp_file "drover" ".txt" in
  write path text;
  path

(* A folder of [files] files, ten a folder within it, of up to 200 KB. *)
let folder files =
  let rng = Random.State.make [| files |] in
  let make_folder name =
    Sys.mkdir name 0o700;
    at_exit (fun () -> Sys.rmdir name)
  in
  let root = Filename.temp_dir "drover" "" in
  at_exit (fun () -> Sys.rmdir root);
  for i = 0 to files - 1 do
    let within = Filename.concat root (string_of_int (i / 10)) in
    if i mod 10 = 0 then make_folder within;
    let length = Random.State.int rng 200_000 in
    write
      (Filename.concat within (string_of_int i))
      (String.init length (fun j -> Char.chr (i * j land 255)))
  done;
  root
