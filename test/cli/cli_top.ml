(* drover top: what it says of programs that are at known places, how often, and how it ends. *)

open Command

let top ?environment ?during args pid =
  call ?environment ?during (("top" :: args) @ [ string_of_int pid ])

let count part text =
  let found = Str.full_split (Str.regexp_string part) text in
  List.length (List.filter (function Str.Delim _ -> true | Str.Text _ -> false) found)

let says mode parts () =
  Running.program mode (fun { pid; _ } ->
      let code, out, err = top [ "--once" ] pid in
      Alcotest.(check (pair int string)) "exit code and errors" (0, "") (code, err);
      List.iter (check_contains out)
        ([ Printf.sprintf "process %d: " pid; "processor time"; "utilisation" ] @ parts);
      List.iter
        (fun part -> Alcotest.(check bool) ("no " ^ part) false (contains out part))
        [ "nan"; "inf"; "\027" ])

let blocks () =
  Running.program "waits" (fun { pid; _ } ->
      let code, out, _ = top [ "-n"; "2" ] pid in
      Alcotest.(check int) "exit code" 0 code;
      Alcotest.(check int) "blocks" 2 (count (Printf.sprintf "process %d: " pid) out))

let ends_with_program () =
  Running.program "computes" (fun { pid; _ } ->
      let during _ =
        Unix.sleepf 0.5;
        Unix.kill pid Sys.sigkill
      in
      let code, _, err = top [] pid ~during in
      Alcotest.(check int) "exit code" 0 code;
      check_contains err (Printf.sprintf "process %d has ended" pid))

let is_interrupted () =
  Running.program "computes" (fun { pid; _ } ->
      let during command =
        Unix.sleepf 0.5;
        Unix.kill command Sys.sigint
      in
      let code, _, err = top [] pid ~during in
      Alcotest.(check (pair int string)) "exit code and errors" (0, "") (code, err))

(* On a terminal, which the command [script] makes: what was there before comes back. *)
let on_terminal () =
  if Sys.command "command -v script >/dev/null" <> 0 then Alcotest.skip ();
  Running.program "holds" (fun { pid; _ } ->
      temporary ".typescript" (fun file ->
          let line = Printf.sprintf "%s top -n 1 %d" (Sys.getenv "COMMAND") pid in
          let script =
            Printf.sprintf "TERM=xterm script -qec %s /dev/null </dev/null >%s 2>&1"
              (Filename.quote line) (Filename.quote file)
          in
          Alcotest.(check int) "exit code" 0 (Sys.command script);
          let out = read file in
          List.iter (check_contains out)
            [ "\027[?1049h"; "in a task: refill"; "\027[?25h\027[?1049l" ]))

let no_events () =
  Running.program ~bindings:[] "waits" (fun { pid; _ } ->
      fails
        [ "top"; string_of_int pid ]
        ~code:126
        ~saying:[ "Start it with OCAML_RUNTIME_EVENTS_START=1" ]
        ())

let no_process () =
  let pid = Unix.create_process "true" [| "true" |] Unix.stdin Unix.stdout Unix.stderr in
  ignore (Unix.waitpid [] pid : int * Unix.process_status);
  fails [ "top"; string_of_int pid ] ~code:126 ~saying:[ "there is no such process" ] ()

let test name f = Alcotest.test_case name `Quick f

let () =
  Alcotest.run "cli top"
    [
      ( "a program that",
        [
          test "computes" (says "computes" [ "in a task"; "2.00 of 2 workers"; "100.0%" ]);
          test "waits" (says "waits" [ "parked: no work"; "suspensions" ]);
          test "holds a lock" (says "holds" [ "in a task: refill" ]);
        ] );
      ( "it ends",
        [
          test "after so many blocks" blocks;
          test "with the program" ends_with_program;
          test "when it is interrupted" is_interrupted;
          test "with the terminal as it was" on_terminal;
        ] );
      ("there is nothing to see", [ test "no events" no_events; test "no process" no_process ]);
    ]
