(* Runs the cases, or those whose names contain one of the arguments, and tells which still show a
   fault. *)

let folder = Filename.dirname Sys.executable_name

let programs =
  let in_folder name =
    let path = Filename.concat folder name in
    if Sys.is_directory path then List.map (Filename.concat name) (Array.to_list (Sys.readdir path))
    else []
  in
  Array.to_list (Sys.readdir folder)
  |> List.concat_map in_folder
  |> List.filter (fun file -> Filename.check_suffix file ".exe")
  |> List.sort String.compare

let wanted = List.tl (Array.to_list Sys.argv)

let is_in part text =
  let n = String.length part in
  let rec from i = i + n <= String.length text && (String.sub text i n = part || from (i + 1)) in
  from 0

let is_wanted name = wanted = [] || List.exists (fun part -> is_in part name) wanted

let run name =
  Printf.printf "%-28s %!" (Filename.remove_extension name);
  let program = Filename.concat folder name in
  let pid = Unix.create_process program [| program |] Unix.stdin Unix.stdout Unix.stderr in
  match Unix.waitpid [] pid with
  | _, WEXITED 0 -> `Right
  | _, WEXITED 77 -> `Cannot
  | _ -> `Wrong name

let () =
  (* As users run programs, whatever the tests do. *)
  Unix.putenv "DROVER_ADAPTIVE" "true";
  let found = List.map run (List.filter is_wanted programs) in
  let count kind = List.length (List.filter (( = ) kind) found) in
  let wrong =
    List.filter_map
      (function `Wrong name -> Some (Filename.remove_extension name) | _ -> None)
      found
  in
  Printf.printf "\n%d right, %d cannot run here, %d still show a fault%s\n" (count `Right)
    (count `Cannot) (List.length wrong)
    (if wrong = [] then "" else ": " ^ String.concat ", " wrong);
  exit (if wrong = [] then 0 else 1)
