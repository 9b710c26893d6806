type t = { root : string; files : string array; bytes : int }

let hidden name = name.[0] = '.'

(* All regular files below [dir], without following links; a directory that cannot be read counts as
   empty, save the root. *)
let rec walk dir found =
  let visit found name =
    let path = Filename.concat dir name in
    if hidden name then found
    else
      match (Unix.lstat path).st_kind with
      | S_REG -> path :: found
      | S_DIR -> ( try walk path found with Sys_error _ -> found)
      | _ -> found
      | exception Unix.Unix_error _ -> found
  in
  Array.fold_left visit found (Sys.readdir dir)

let looks_like_text path =
  let head ic =
    In_channel.really_input_string ic (min 4096 (Int64.to_int (In_channel.length ic)))
  in
  match In_channel.with_open_bin path head with
  | Some head -> head <> "" && not (String.contains head '\000')
  | None -> false
  | exception Sys_error _ -> false

let has_suffix suffixes path = List.exists (fun s -> Filename.check_suffix path s) suffixes

(* The longest prefix of [paths] within [at_most] bytes. *)
let take at_most paths =
  let rec go files bytes = function
    | path :: rest when bytes + (Unix.stat path).st_size <= at_most ->
        if looks_like_text path then go (path :: files) (bytes + (Unix.stat path).st_size) rest
        else go files bytes rest
    | _ -> (Array.of_list (List.rev files), bytes)
  in
  go [] 0 paths

let find ?suffixes ?(at_most = max_int) root =
  match walk root [] with
  | exception Sys_error why -> Error why
  | paths -> (
      let wanted = match suffixes with None -> Fun.const true | Some s -> has_suffix s in
      match take at_most (List.sort String.compare (List.filter wanted paths)) with
      | [||], _ -> Error (root ^ ": no text files to index")
      | files, bytes -> Ok { root; files; bytes })

(* The first line that a command prints, if it succeeds. *)
let output_of command args =
  match Unix.open_process_args_in command (Array.of_list (command :: args)) with
  | exception Unix.Unix_error _ -> None
  | ic -> (
      let line = In_channel.input_line ic in
      match Unix.close_process_in ic with WEXITED 0 -> line | _ -> None)

let library_directory () =
  match output_of "ocamlfind" [ "ocamlc"; "-where" ] with
  | Some dir -> Some dir
  | None -> output_of "ocamlc" [ "-where" ]

let ocaml_sources ?at_most () =
  match library_directory () with
  | None ->
      Error
        "cannot find the OCaml library: neither ocamlfind nor ocamlc runs; name a directory with \
         --dir"
  | Some dir ->
      find ~suffixes:[ ".ml"; ".mli" ] ?at_most dir
      |> Result.map_error (fun why -> why ^ "; name a directory with --dir")
