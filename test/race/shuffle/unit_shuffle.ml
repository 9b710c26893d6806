(* What depends on its schedule is found, with a seed that shows it again; and its twin has one result. *)

let command = Sys.getenv "COMMAND"

let output_of args =
  let c = Unix.open_process_args_in command (Array.of_list (command :: args)) in
  let output = In_channel.input_all c in
  match Unix.close_process_in c with
  | WEXITED code -> (code, output)
  | WSIGNALED _ | WSTOPPED _ -> Alcotest.fail "it was ended by a signal"

let search ?(seeds = 30) name =
  fst (output_of ([ "race"; "--shuffle"; string_of_int seeds; "./results.exe" ] @ name))

let found name () = Alcotest.(check int) "exit code" 66 (search [ name ])
let same name () = Alcotest.(check int) "exit code" 0 (search [ name; "twin" ])

let replayed () =
  let run seed = output_of [ "race"; "--seed"; string_of_int seed; "./results.exe"; "arrival" ] in
  let first = List.init 10 run in
  Alcotest.(check (list (pair int string))) "the same again" first (List.init 10 run);
  Alcotest.(check bool) "several" true (List.length (List.sort_uniq compare first) > 3)

let timeless () =
  let run seed args =
    output_of ([ "race"; "--seed"; string_of_int seed; "./results.exe"; "arrival-late" ] @ args)
  in
  let all args = List.init 10 (fun seed -> run seed args) in
  Alcotest.(check (list (pair int string))) "the same" (all []) (all [ "twin" ])

let on_domains () =
  let args = [ "race"; "--shuffle"; "10"; "--domains"; "3"; "./results.exe"; "arrival" ] in
  Alcotest.(check int) "exit code" 0 (fst (output_of (args @ [ "twin" ])))

let not_rewritten () =
  Alcotest.(check int) "exit code" 126 (fst (output_of [ "race"; "--shuffle"; "1"; "true" ]))

let () =
  let case name test = Alcotest.test_case name `Quick test in
  let pair name = [ case name (found name); case (name ^ ", its twin") (same name) ] in
  let names =
    [ "merge"; "floats"; "arrival"; "first-winner"; "messages"; "deadlock"; "forgotten-wait" ]
  in
  Alcotest.run "shuffle"
    [
      ("results", List.concat_map pair names);
      ( "seeds",
        [
          case "stand for one schedule" replayed;
          case "whatever takes how long" timeless;
          case "on three domains" on_domains;
          case "of a program that knows none" not_rewritten;
        ] );
    ]
