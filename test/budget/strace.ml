(* The system calls of a program, counted by strace. *)

type t = { calls : int; files : int  (** opened, or tried to *) }

(* There may be none, or it may not be allowed to trace. *)
let is_available = lazy (Sys.command "strace -f -o /dev/null true 2>/dev/null" = 0)

let add sum line =
  match List.filter (( <> ) "") (String.split_on_char ' ' line) with
  | _percent :: _seconds :: _each :: calls :: rest when rest <> [] -> (
      match (int_of_string_opt calls, List.nth rest (List.length rest - 1)) with
      | None, _ | _, "total" -> sum
      | Some n, ("open" | "openat") -> { calls = sum.calls + n; files = sum.files + n }
      | Some n, _ -> { sum with calls = sum.calls + n })
  | _ -> sum

let count command =
  let summary = Filename.temp_file "budget" ".strace" in
  Fun.protect ~finally:(fun () -> Sys.remove summary) @@ fun () ->
  let line =
    Filename.quote_command "strace" ~stdout:"/dev/null" ([ "-f"; "-c"; "-o"; summary ] @ command)
  in
  if Sys.command line <> 0 then Alcotest.failf "%s failed" line;
  In_channel.with_open_text summary (In_channel.fold_lines add { calls = 0; files = 0 })
