(* Calls the command as users do. *)

let drover = Sys.getenv "DROVER"
let subject = Filename.concat (Sys.getcwd ()) "subject.exe"

let contains text part =
  match Str.search_forward (Str.regexp_string part) text 0 with
  | _ -> true
  | exception Not_found -> false

let check_contains text part =
  if not (contains text part) then Alcotest.failf "%S is not in %S" part text

let read file = In_channel.with_open_bin file In_channel.input_all

let temporary suffix f =
  let file = Filename.temp_file "drover" suffix in
  Fun.protect ~finally:(fun () -> Sys.remove file) (fun () -> f file)

(* Exit code, standard output, standard error. *)
let call args =
  temporary ".out" (fun stdout ->
      temporary ".err" (fun stderr ->
          let code = Sys.command (Filename.quote_command drover ~stdout ~stderr args) in
          (code, read stdout, read stderr)))
