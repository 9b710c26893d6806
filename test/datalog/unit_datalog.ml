(* What the Datalog engine says of wrong programs, and what it makes of right ones. *)

open Test_support
open Datalog

let case = Watchdog.case

(* [f] in a folder of its own with these files. *)
let with_files files f =
  let folder = Filename.temp_dir "datalog" "" in
  let path name = Filename.concat folder name in
  let write (name, text) =
    Out_channel.with_open_bin (path name) (fun oc -> output_string oc text)
  in
  List.iter write files;
  Fun.protect
    ~finally:(fun () ->
      List.iter (fun (name, _) -> Sys.remove (path name)) files;
      Sys.rmdir folder)
    (fun () -> f path)

let run ?(facts = "") text =
  with_files
    [ ("p.dl", text); ("f.facts", facts) ]
    (fun path -> Engine.run (Source.load (path "p.dl")))

let says ?(facts = "") ~file ~line why text () =
  match run ~facts text with
  | _ -> Alcotest.fail "no error"
  | exception Syntax.Error (place, found) ->
      Alcotest.(check (triple string int string))
        "error" (file, line, why)
        (Filename.basename place.file, place.line, found)

let wrong name ?facts ?(file = "p.dl") ~line why text = case name (says ?facts ~file ~line why text)

let errors =
  [
    wrong "a strange character" ~line:2 "unexpected character '&'" "a(b).\nc(&).";
    wrong "a string without an end" ~line:1 "the string has no end" "a(\"b).\nc(d).";
    wrong "no sign" ~line:3 "expected ':-' or '.' instead of 'b'" "a(b).\n\na(b) b(c).";
    wrong "no bracket" ~line:1 "expected ',' or ')' instead of '.'" "a(b.";
    wrong "no term" ~line:1 "expected a variable or a constant instead of ')'" "a().";
    wrong "an end too early" ~line:2 "expected ',' or '.' instead of the end of the file"
      "a(X) :- b(X)\n";
    wrong "no relation" ~line:1 "expected a relation instead of 'X'" "X(b).";
    wrong "no file" ~line:1 "expected the name of a file in quotes instead of '.'" "input a.";
    wrong "an unbound variable" ~line:2 "the variable Y of the head is not in the body"
      "b(c).\na(X, Y) :- b(X).";
    wrong "a fact with a variable" ~line:1 "a fact has no variables, such as X" "a(X).";
    wrong "an unbound variable without a name" ~line:1
      "the variable _ of the head is not in the body" "b(c). a(_) :- b(_).";
    wrong "a misspelt relation" ~line:2 "no rule, fact or file tells what bb is"
      "b(c).\na(X) :- b(X), bb(X).";
    wrong "an unknown output" ~line:2 "no rule or fact tells what b is" "a(c).\noutput b.";
    wrong "columns that are missing" ~facts:"x\ty\nz\n" ~file:"f.facts" ~line:2
      "1 columns, where a has 2" "a(X, Y) :- a(Y, X).\ninput a \"f.facts\".";
  ]

(* These name the program's file or the system's reason. *)
let differs_in_arity () =
  match run "a(b).\nc(X) :- a(X, X)." with
  | _ -> Alcotest.fail "no error"
  | exception Syntax.Error (place, why) ->
      Alcotest.(check int) "line" 2 place.line;
      Alcotest.(check bool)
        "both places" true
        (String.starts_with ~prefix:"a has 2 arguments here and 1 at " why
        && String.ends_with ~suffix:"p.dl:1" why)

let missing_file () =
  match run "a(b).\ninput a \"none.facts\"." with
  | _ -> Alcotest.fail "no error"
  | exception Syntax.Error (place, why) ->
      Alcotest.(check int) "line" 2 place.line;
      Alcotest.(check bool) "says so" true (String.starts_with ~prefix:"cannot read the file" why)

let tuples = Alcotest.(array (list string))

let facts () =
  let t =
    run ~facts:"x\ty z\r\n\n\tw\n" "input a \"f.facts\". % comes first\na(1, \"B\"). a(1, \"B\")."
  in
  Alcotest.check tuples "facts"
    [| [ ""; "w" ]; [ "1"; "B" ]; [ "x"; "y z" ] |]
    (Engine.tuples t "a")

(* What is printed is read again as the same. *)
let written () =
  let constants = [ "a"; "B"; ""; "caf\u{e9}"; {|a "b"|}; {|a\b\|}; "-1" ] in
  let t = run (Syntax.show "r" constants ^ ".") in
  Alcotest.check tuples "the same" [| constants |] (Engine.tuples t "r");
  Alcotest.(check string)
    "letters of any language" "r(\"caf\u{e9}\")" (Syntax.show "r" [ "caf\u{e9}" ])

let main =
  let here = Filename.dirname Sys.executable_name in
  Filename.concat here "../../examples/datalog/main.exe"

let no_domains () =
  let out = Filename.temp_file "datalog" "" in
  let command =
    Filename.quote_command main [ "--domains"; "0"; "p.dl" ] ~stdout:Filename.null ~stderr:out
  in
  let code = Sys.command command in
  let said = In_channel.with_open_bin out In_channel.input_all in
  Sys.remove out;
  Alcotest.(check int) "exit code" 2 code;
  Alcotest.(check bool)
    "says so" true
    (List.exists
       (String.ends_with ~suffix:": --domains: at least 1.")
       (String.split_on_char '\n' said))

(* As before a head that has seen enough: the signal ends the program, and nothing is said. *)
let nobody_reads () =
  let program = Filename.temp_file "program" ".dl" and errors = Filename.temp_file "errors" "" in
  Out_channel.with_open_bin program (fun file ->
      output_string file "e(a,b). e(b,c). e(c,d). e(d,a). e(e,f). e(f,g). e(g,e). e(a,e). ";
      output_string file "p(X,Y) :- e(X,Y). p(X,Y) :- p(X,Z), p(Z,Y). output p. ";
      output_string file "q(X,Y,Z,W) :- p(X,Y), p(Z,W). output q.");
  for _ = 1 to 20 do
    let read, write = Unix.pipe ~cloexec:true () in
    Unix.close read;
    let stderr = Unix.openfile errors [ O_WRONLY; O_TRUNC; O_CLOEXEC ] 0o600 in
    let pid = Unix.create_process main [| main; program |] Unix.stdin write stderr in
    List.iter Unix.close [ write; stderr ];
    let _, status = Unix.waitpid [] pid in
    Alcotest.(check bool) "status" true (status = WSIGNALED Sys.sigpipe);
    let said = In_channel.with_open_bin errors In_channel.input_all in
    Alcotest.(check string) "errors" "" said
  done;
  List.iter Sys.remove [ program; errors ]

let anonymous () =
  let t = run "e(1, 2). e(2, 3). inner(X) :- e(_, X), e(X, _)." in
  Alcotest.check tuples "inner" [| [ "2" ] |] (Engine.tuples t "inner")

(* Longer than a batch. *)
let chain () =
  let n = 120 in
  let edge i = Printf.sprintf "e(%d, %d)." i (i + 1) in
  let text = String.concat "\n" (List.init n edge) in
  let t = run (text ^ "p(X, Y) :- e(X, Y). p(X, Z) :- p(X, Y), p(Y, Z).") in
  Alcotest.(check int) "paths" (n * (n + 1) / 2) (Array.length (Engine.tuples t "p"))

let () =
  Alcotest.run "datalog"
    [
      ( "errors",
        errors
        @ [
            case "relations with two arities" differs_in_arity;
            case "a file that is missing" missing_file;
          ] );
      ( "programs",
        [
          case "facts" facts;
          case "constants are read as they are written" written;
          case "no domains" no_domains;
          case "nobody reads" nobody_reads;
          case "variables without a name" anonymous;
          case "a chain" chain;
        ] );
    ]
