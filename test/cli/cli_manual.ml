(* What holds for every command: manuals, exit codes told, completion, and colours. *)

open Command
open Programs

let commands = [ "stat"; "trace"; "scale"; "tune"; "race"; "where"; "top" ]

let manual command () =
  let code, out, err = call [ command; "--help=plain" ] in
  Alcotest.(check int) "exit code" 0 code;
  Alcotest.(check string) "no complaints" "" err;
  List.iter (check_contains out) [ "drover " ^ command; "DESCRIPTION"; "EXAMPLES"; "EXIT STATUS" ];
  Alcotest.(check bool) "no colours" false (contains out "\027[")

let man_page command () =
  let _, out, _ = call [ command; "--help=groff" ] in
  check_contains out ".SH NAME";
  Alcotest.(check string) "what is installed" out (read ("../../src/cli/drover-" ^ command ^ ".1"))

let completion_script shell () =
  check_contains (read ("../../src/cli/drover." ^ shell)) "--__complete"

let completes args expected () =
  let code, out, _ = call ("--__complete" :: args) in
  Alcotest.(check int) "exit code" 0 code;
  check_contains out expected

let without_colours environment () =
  let _, _, err = call ~environment [ "stat"; subject; "1" ] in
  check_contains err "minor collections";
  Alcotest.(check bool) "no colours" false (contains err "\027[")

let mistake_without_colours () =
  let _, _, err = call ~environment:[| "TERM=xterm" |] [ "stat"; "--nothing" ] in
  check_contains err "unknown option --nothing";
  Alcotest.(check bool) "no colours" false (contains err "\027[")

let where_colours_are () =
  let wanted ~is_terminal bindings =
    Drover_show.Colours.of_environment ~is_terminal (fun name -> List.assoc_opt name bindings)
    = `Ansi_tty
  in
  let check what expected found = Alcotest.(check bool) what expected found in
  check "a terminal" true (wanted ~is_terminal:true [ ("TERM", "xterm") ]);
  check "a file" false (wanted ~is_terminal:false [ ("TERM", "xterm") ]);
  check "NO_COLOR" false (wanted ~is_terminal:true [ ("TERM", "xterm"); ("NO_COLOR", "1") ]);
  check "NO_COLOR, empty" true (wanted ~is_terminal:true [ ("TERM", "xterm"); ("NO_COLOR", "") ]);
  check "dumb" false (wanted ~is_terminal:true [ ("TERM", "dumb") ])

let stripped () =
  Alcotest.(check string)
    "plain" "a bold word"
    (Drover_show.Colours.strip "a \027[01;31mbold\027[m word")

let version () =
  let code, out, _ = call [ "--version" ] in
  Alcotest.(check int) "exit code" 0 code;
  Alcotest.(check bool)
    ("a number: " ^ out) true
    (Scanf.sscanf_opt out "%d.%d" (fun _ _ -> ()) <> None)

let test name f = Alcotest.test_case name `Quick f

let () =
  Alcotest.run "cli manual"
    [
      ("manuals", List.map (fun c -> test c (manual c)) commands);
      ("man pages", List.map (fun c -> test c (man_page c)) commands);
      ("version", [ test "--version" version ]);
      ("scripts", List.map (fun s -> test s (completion_script s)) [ "bash"; "zsh" ]);
      ( "completion",
        [
          test "commands" (completes [ "--__complete=sc" ] "scale");
          test "options" (completes [ "scale"; "--__complete=--ca" ] "--calibrate");
          test "files" (completes [ "stat"; "--json"; "--__complete=" ] "files");
          test "programs" (completes [ "scale"; "--__complete=" ] "files");
          test "what a program understands"
            (completes [ "stat"; "--"; "ls"; "--__complete=" ] "restart");
        ] );
      ( "colours",
        [
          test "not on a terminal" (without_colours [||]);
          test "mistakes" mistake_without_colours;
          test "where" where_colours_are;
          test "stripped" stripped;
        ] );
    ]
