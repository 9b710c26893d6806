(* [drover stat] did not say that a signal had ended the program. *)

open Drover_command

let () =
  Case.main @@ fun () ->
  let output = (Case.call (drover ("stat" :: subject "killed"))).output in
  Case.expect
    (Case.contains output "signal" || Case.contains output "SIGKILL")
    "stat of a program that is killed says so: %b"
    (Case.contains output "signal" || Case.contains output "SIGKILL")
