let proc pid name = Printf.sprintf "/proc/%d/%s" pid name

let read file =
  try Some (In_channel.with_open_bin file In_channel.input_all) with Sys_error _ -> None

let words text = List.filter (( <> ) "") (String.split_on_char '\000' text)

let name pid =
  match Option.map words (read (proc pid "cmdline")) with
  | Some (_ :: _ as argv) -> Printf.sprintf "process %d: %s" pid (String.concat " " argv)
  | _ -> Printf.sprintf "process %d" pid

(* The words behind the name, which may have blanks: first the state, the 12th and 13th are user and system time. *)
let stat pid =
  let behind text =
    let from = String.rindex text ')' + 2 in
    String.split_on_char ' ' (String.sub text from (String.length text - from))
  in
  Option.map behind (read (proc pid "stat"))

let has_ended pid =
  match stat pid with Some (state :: _) -> List.mem state [ "Z"; "X" ] | _ -> false

let is_alive pid =
  match Unix.kill pid 0 with
  | () -> not (has_ended pid)
  | exception Unix.Unix_error (ESRCH, _, _) -> false
  | exception Unix.Unix_error _ -> true

let cpu pid =
  match stat pid with
  | Some fields when List.length fields > 13 ->
      (float_of_string (List.nth fields 11) +. float_of_string (List.nth fields 12)) /. 100.
  | _ -> 0.

let variable pid name =
  let prefix = name ^ "=" in
  let value binding =
    let n = String.length prefix in
    String.sub binding n (String.length binding - n)
  in
  let environment = Option.fold (read (proc pid "environ")) ~none:[] ~some:words in
  Option.map value (List.find_opt (String.starts_with ~prefix) environment)

let folder pid = try Unix.readlink (proc pid "cwd") with Unix.Unix_error _ -> "."

let is_denied pid =
  match Unix.access (proc pid "environ") [ R_OK ] with
  | () -> false
  | exception Unix.Unix_error (error, _, _) -> error = EACCES

let check pid =
  if not (is_alive pid) then Error (Printf.sprintf "%d: there is no such process" pid)
  else if is_denied pid then
    Error
      (Printf.sprintf
         "process %d is of another user, so you may not look into it: do it as that user, or as \
          root"
         pid)
  else Ok ()
