(* [drover stat --pid] of another user's process said that it writes no events; it may not read them. *)

open Drover_command

let nobody = 65534

let () =
  Case.main @@ fun () ->
  if Unix.getuid () <> 0 then Case.cannot "only root has the processes of two users"
  else
    Folder.temporary @@ fun folder ->
    Unix.chmod folder 0o755;
    let environment = [ "OCAML_RUNTIME_EVENTS_START=1"; "OCAML_RUNTIME_EVENTS_DIR=" ^ folder ] in
    let p = Case.start ~environment (subject "endless") in
    ignore (Case.until_it_says p "number" : string);
    let stat = [ "stat"; "--pid"; string_of_int (Case.pid p); "--seconds"; "1" ] in
    let end_ = Case.call ~as_user:nobody (drover stat) in
    ignore (Case.ending ~seconds:0. p : Case.ending);
    if Case.contains end_.output "setpriv" || Case.contains end_.output "main.exe" then
      Case.cannot "nobody cannot run the command here: %s" (String.trim end_.output)
    else
      let line = String.concat " " (String.split_on_char '\n' (String.trim end_.output)) in
      Case.expect
        (not (Case.contains line "writes no runtime events"))
        "stat of another user's process: %s" line
