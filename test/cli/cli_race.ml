(* drover race: what it says of a program's report, and its exit codes. The programs are shells that write the report
   themselves; test/race has real ones. *)

open Command

let race report code =
  let write =
    Option.fold report ~none:"" ~some:(Printf.sprintf "echo '%s' > $DROVER_RACE_JSON; ")
  in
  call [ "race"; "sh"; "-c"; Printf.sprintf "echo output; %sexit %d" write code ]

let ends ?report ~program expected says () =
  let code, out, err = race report program in
  Alcotest.(check int) "exit code" expected code;
  Alcotest.(check string) "the program's output" "output\n" out;
  if says = "" then Alcotest.(check string) "no message" "" err else check_contains err says

let silent = {|{"accesses":17,"races":[]}|}
let racy = {|{"accesses":17,"races":[{}]}|}

let locked =
  {|{"accesses":17,"races":[],"locked":[[{"file":"a.ml","line":3,"column":0,"what":"l := .."},null]]}|}

let unseen = {|{"accesses":17,"races":[],"unseen":["Str","Yojson.Safe"]}|}
let threads = {|{"accesses":17,"races":[],"threads":true}|}

let known () =
  let file = Filename.temp_file "known" "" in
  let told option =
    call [ "race"; option; file; "sh"; "-c"; "echo $DROVER_RACE_KNOWN$DROVER_RACE_WRITE_KNOWN" ]
  in
  let check option =
    let _, out, _ = told option in
    Alcotest.(check string) option (file ^ "\n") out
  in
  check "--known";
  check "--write-known";
  Sys.remove file

let other_settings_go () =
  let environment = [| "DROVER_RACE=0"; "PATH=" ^ Sys.getenv "PATH" |] in
  let _, out, _ = call ~environment [ "race"; "sh"; "-c"; "echo \"is ${DROVER_RACE-unset}\"" ] in
  Alcotest.(check string) "it is checked all the same" "is unset\n" out

let case name test = Alcotest.test_case name `Quick test

let () =
  Alcotest.run "cli race"
    [
      ( "a program",
        [
          case "without a race" (ends ~report:silent ~program:0 0 "no race among 17 accesses");
          case "that fails"
            (ends ~report:silent ~program:3 3
               "no race among 17 accesses, until it ended with exit code 3");
          case "with a race" (ends ~report:racy ~program:66 66 "");
          case "that is not rewritten" (ends ~program:0 126 "tells of no accesses");
          case "with locks"
            (ends ~report:locked ~program:0 0 "1 pair of places apart, such as a.ml:3: l := ..");
          case "that calls others"
            (ends ~report:unseen ~program:0 0 "not rewritten: Str, Yojson.Safe");
          case "with threads"
            (ends ~report:threads ~program:0 0 "threads of the standard library are not followed");
          case "with known races" known;
          case "told not to check" other_settings_go;
        ] );
    ]
