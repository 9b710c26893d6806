type t = { path : string; args : string list }

let is_executable file =
  (try Sys.is_regular_file file with Sys_error _ -> false)
  && match Unix.access file [ X_OK ] with () -> true | exception Unix.Unix_error _ -> false

let search name =
  let folders = String.split_on_char ':' (Option.value (Sys.getenv_opt "PATH") ~default:"") in
  List.map (fun dir -> Filename.concat dir name) folders |> List.find_opt is_executable

(* What a shell would say, and what to do about it. *)
let find name =
  if (not (Filename.is_implicit name)) || String.contains name '/' then
    if is_executable name then Ok name
    else if not (Sys.file_exists name) then
      Error (name ^ ": there is no such program; has it been built?")
    else Error (name ^ ": it is not an executable file; name the program itself")
  else
    match search name with
    | Some file -> Ok file
    | None when is_executable name ->
        Error
          (Printf.sprintf "%s: it is not in PATH; say ./%s for the one in this folder" name name)
    | None -> Error (name ^ ": there is no such program in PATH")

let make = function
  | [] -> Error "which program? Say it last: PROGRAM ARGUMENTS"
  | name :: args -> Result.map (fun path -> { path; args }) (find name)

let pp ppf t = Fmt.(list ~sep:sp string) ppf (t.path :: t.args)

(* An option stands before the program; what follows the program is its own. *)
let rec mark ~takes_value = function
  | [] -> []
  | "--" :: _ as rest -> rest
  | option :: value :: rest when List.mem option takes_value ->
      option :: value :: mark ~takes_value rest
  | option :: rest when String.starts_with ~prefix:"-" option -> option :: mark ~takes_value rest
  | program -> "--" :: program
