(* The programs that the commands are tried on. *)

let subject = Filename.concat (Sys.getcwd ()) "subject.exe"
let ending = Filename.concat (Sys.getcwd ()) "ending.exe"
