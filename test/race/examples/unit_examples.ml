(* The examples print what they print otherwise, and have no race; but for one that is wrong on purpose, and one that
   spawns domains. Their reports say which make threads. *)

let makes_threads name = List.mem name [ "blocking_stack"; "callback"; "interrupt" ]
let status name = match name with "counters" -> 66 | "threads" -> 2 | _ -> 0

let run name =
  let out = Filename.temp_file name ".out" in
  let command =
    Filename.quote_command "env" ~stdin:"/dev/null" ~stdout:out ~stderr:(out ^ ".err")
      [ "DROVER_RACE_JSON=" ^ out ^ ".json"; "./" ^ name ^ ".exe" ]
  in
  let code = Sys.command command in
  let content file =
    let text = In_channel.with_open_bin file In_channel.input_all in
    Sys.remove file;
    text
  in
  (code, content out, content (out ^ ".err"), content (out ^ ".json"))

let test folder name () =
  let code, output, errors, report = run name in
  if code <> status name then Alcotest.failf "it exits with %d:\n%s" code errors;
  if code <> 2 then begin
    let file = Filename.concat folder (name ^ ".expected") in
    Alcotest.(check string) "output" (In_channel.with_open_bin file In_channel.input_all) output;
    let has_threads = String.ends_with ~suffix:"\"threads\":true}\n" report in
    Alcotest.(check bool) "threads" (makes_threads name) has_threads
  end

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
