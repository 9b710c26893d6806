(* The examples print what they print otherwise, and have no race; but for one that is wrong on purpose, and one that
   spawns domains. *)

let status name = match name with "counters" -> 66 | "threads" -> 2 | _ -> 0

let run name =
  let out = Filename.temp_file name ".out" in
  let command =
    Filename.quote_command
      ("./" ^ name ^ ".exe")
      ~stdin:"/dev/null" ~stdout:out ~stderr:(out ^ ".err") []
  in
  let code = Sys.command command in
  let output = In_channel.with_open_bin out In_channel.input_all in
  let errors = In_channel.with_open_bin (out ^ ".err") In_channel.input_all in
  List.iter Sys.remove [ out; out ^ ".err" ];
  (code, output, errors)

let test folder name () =
  let code, output, errors = run name in
  if code <> status name then Alcotest.failf "it exits with %d:\n%s" code errors;
  if code <> 2 then
    let file = Filename.concat folder (name ^ ".expected") in
    Alcotest.(check string) "output" (In_channel.with_open_bin file In_channel.input_all) output

let () =
  let expected = Sys.argv.(1) in
  let folder = Filename.dirname expected in
  let names =
    Sys.readdir "." |> Array.to_list |> List.sort compare
    |> List.filter_map (fun file ->
        if Filename.check_suffix file ".exe" && file <> "unit_examples.exe" then
          Some (Filename.chop_suffix file ".exe")
        else None)
  in
  let case name = Alcotest.test_case name `Quick (test folder name) in
  Alcotest.run ~argv:[| "examples" |] "examples" [ ("silent", List.map case names) ]
