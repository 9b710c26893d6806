(* SIGTERM ended [stat], [trace] and [scale], and left their program running and its file of events. *)

open Drover_command

let is_alive pid =
  match Unix.kill pid 0 with () -> true | exception Unix.Unix_error (ESRCH, _, _) -> false

(* Whether the program still runs after a second, and what is left in the folder for files. *)
let left command =
  Folder.temporary @@ fun folder ->
  let environment = [ "TMPDIR=" ^ folder ] in
  let p = Case.start ~environment (drover (command @ subject "endless")) in
  let program = number_in (Case.until_it_says p "\n") in
  Unix.kill (Case.pid p) Sys.sigterm;
  ignore (Case.ending ~seconds:5. p : Case.ending);
  Unix.sleepf 1.;
  let runs = is_alive program in
  let files = Array.length (Sys.readdir folder) in
  if runs then Unix.kill program Sys.sigkill;
  Unix.sleepf 0.2;
  (runs, files)

let () =
  Case.main ~seconds:30. @@ fun () ->
  let show command =
    match left command with
    | false, 0 -> None
    | runs, files ->
        Some
          (Printf.sprintf "%s leaves %d files%s" (List.hd command) files
             (if runs then " and its program running" else ""))
  in
  let timeline = Filename.null in
  match List.filter_map show [ [ "stat" ]; [ "trace"; "-o"; timeline ]; [ "scale" ] ] with
  | [] -> Case.right "stat, trace and scale end by SIGTERM, and leave nothing"
  | left -> Case.wrong "after SIGTERM %s" (String.concat ", " left)
