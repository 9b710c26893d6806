(* The command as users call it: exit codes, messages, files. *)

open Command

let tiny = [ "--size"; "tiny"; "--domains"; "1,2"; "--runs"; "1" ]

let succeeds args ~showing () =
  let code, out, err = call (args @ tiny) in
  Alcotest.(check string) "no complaints" "" err;
  Alcotest.(check int) "exit code" 0 code;
  List.iter
    (fun part -> if not (contains out part) then Alcotest.failf "%S is not in %S" part out)
    showing

let json () =
  temporary ".json" (fun file ->
      succeeds [ "fib"; "matmul"; "--json"; file ] ~showing:[ "fib"; "matmul"; "summary" ] ();
      let open Yojson.Safe.Util in
      let kernels = Yojson.Safe.from_file file |> member "kernels" |> to_list in
      let names = List.map (fun k -> member "kernel" k |> to_string) kernels in
      Alcotest.(check (list string)) "kernels" [ "fib"; "matmul" ] names)

(* Against results in which everything took so little time, or so long, that no accident makes up for
   it. *)
let scaled by json =
  let open Yojson.Safe.Util in
  let rec scale : Yojson.Safe.t -> Yojson.Safe.t = function
    | `Assoc fields ->
        let field = function
          | "seconds", seconds ->
              ("seconds", `List (List.map (fun s -> `Float (by *. to_number s)) (to_list seconds)))
          | name, value -> (name, scale value)
        in
        `Assoc (List.map field fields)
    | `List values -> `List (List.map scale values)
    | other -> other
  in
  scale json

let compare () =
  temporary ".json" (fun file ->
      succeeds [ "fib"; "--json"; file ] ~showing:[ "fib" ] ();
      let measured = Yojson.Safe.from_file file in
      let against by ~code ~showing =
        Yojson.Safe.to_file file (scaled by measured);
        let found, out, _ = call ("fib" :: "--compare" :: file :: tiny) in
        Alcotest.(check int) "exit code" code found;
        check_contains out showing
      in
      against 1e-9 ~code:3 ~showing:"slower";
      against 1e9 ~code:0 ~showing:"faster")

let html () =
  temporary ".html" (fun file ->
      succeeds [ "fib"; "--html"; file ] ~showing:[ "fib" ] ();
      Alcotest.(check bool) "a page" true (contains (read file) "</html>"))

let picture () =
  let dir = Filename.temp_dir "drover" "" in
  let file = Filename.concat dir "mandelbrot.ppm" in
  succeeds [ "mandelbrot"; "--out"; dir ] ~showing:[ file ] ();
  let ppm = read file in
  Sys.remove file;
  Sys.rmdir dir;
  Alcotest.(check bool) "a PPM" true (String.starts_with ~prefix:"P6\n24 18\n255\n" ppm);
  Alcotest.(check int) "of full size" (13 + (3 * 24 * 18)) (String.length ppm)

let with_pattern text f =
  temporary ".rle" (fun file ->
      Out_channel.with_open_bin file (fun oc -> output_string oc text);
      f file)

let pattern () =
  with_pattern "x = 3, y = 1\n3o!" (fun file ->
      succeeds [ "life"; "--rle"; file ] ~showing:[ "3 cells alive" ] ())

let bad_pattern () =
  with_pattern "x = 3, y = 1\n3z!" (fun file ->
      fails (("life" :: tiny) @ [ "--rle"; file ]) ~code:2 ~saying:[ file; "line 2"; "'z'" ] ());
  with_pattern "x = 99, y = 1\n3o!" (fun file ->
      fails (("life" :: tiny) @ [ "--rle"; file ]) ~code:2 ~saying:[ "does not fit" ] ())

let from () =
  temporary ".json" (fun file ->
      temporary ".svg" (fun picture ->
          succeeds [ "matmul"; "--json"; file ] ~showing:[ "matmul" ] ();
          let code, out, err = call [ "--from"; file; "--picture"; picture ] in
          Alcotest.(check (pair int string)) "quiet" (0, "") (code, err);
          check_contains out "matmul";
          check_contains (read picture) "</svg>"))

let report_of session =
  temporary ".html" (fun html ->
      let code, _, _ = call [ "--from"; session; "--html"; html ] in
      Alcotest.(check int) "exit code" 0 code;
      read html)

(* What README and manual say between their marks stands in the reports of the sessions in the
   repository. *)
let known_sessions () =
  let dir = "../../bench/figures" in
  let is_session file = Filename.check_suffix file ".json" in
  let sessions = List.filter is_session (Array.to_list (Sys.readdir dir)) in
  let report = String.concat "" (List.map (fun s -> report_of (Filename.concat dir s)) sessions) in
  let between file =
    match Str.bounded_split (Str.regexp "<!-- \\(end of \\)?figures -->") (read file) 3 with
    | [ _; figures; _ ] -> figures
    | _ -> Alcotest.failf "%s lacks the marks" file
  in
  let speedups text =
    let parts = Str.full_split (Str.regexp "[0-9]+\\.[0-9][0-9]?x") text in
    List.filter_map (function Str.Delim d -> Some d | Text _ -> None) parts
  in
  let check file =
    let said = speedups (between file) in
    Alcotest.(check bool) (file ^ " has figures") true (List.length said > 4);
    let unknown = List.filter (fun figure -> not (contains report figure)) said in
    Alcotest.(check (list string)) ("only those of the reports: " ^ file) [] unknown
  in
  List.iter check [ "../../README.md"; "../../doc/figures.mld" ]

let too_many () =
  let domains = string_of_int (Domain.recommended_domain_count () + 1) in
  let code, _, err =
    call ([ "matmul"; "--size"; "tiny"; "--runs"; "1"; "--domains" ] @ [ domains ])
  in
  Alcotest.(check int) "exit code" 0 code;
  check_contains err "more domains than"

let fits () =
  let _, out, _ = call ("for-heavy" :: "fib" :: tiny) in
  let long = List.filter (fun l -> String.length l > 80) (String.split_on_char '\n' out) in
  Alcotest.(check (list string)) "lines of more than 80 columns" [] long

let brief () =
  let code, out, _ = call ("fib" :: "promises" :: "--brief" :: tiny) in
  Alcotest.(check int) "exit code" 0 code;
  Alcotest.(check bool) "no rivals" false (contains out "domainslib@1")

let spinning () = succeeds [ "fib"; "--busy"; "1" ] ~showing:[ "fib" ] ()
let test name f = Alcotest.test_case name `Quick f

let () =
  Alcotest.run "bench command"
    [
      ( "mistakes",
        [
          test "a kernel misspelt"
            (fails [ "nbodi" ] ~code:124 ~saying:[ "nbodi"; "did you mean nbody" ]);
          test "a long name misspelt"
            (fails [ "tablecell" ] ~code:124 ~saying:[ "did you mean"; "table-cells?" ]);
          test "a part of a name"
            (fails [ "scan-" ] ~code:124 ~saying:[ "did you mean scan-inplace"; "or scan-floats?" ]);
          test "a kernel unheard of"
            (fails [ "astrology" ] ~code:124 ~saying:[ "astrology"; "--list" ]);
          test "no domains" (fails [ "--domains"; "0" ] ~code:124 ~saying:[ "0"; "from 1 to 128" ]);
          test "domains in words" (fails [ "--domains"; "1,two" ] ~code:124 ~saying:[ "two" ]);
          test "too many domains" (fails [ "--domains"; "1000" ] ~code:124 ~saying:[ "1000" ]);
          test "no runs" (fails [ "--runs"; "0" ] ~code:124 ~saying:[ "runs" ]);
          test "no such pattern"
            (fails [ "life"; "--rle"; "/no/file" ] ~code:2 ~saying:[ "/no/file" ]);
          test "a bad pattern" bad_pattern;
          test "no such directory"
            (fails [ "index"; "--dir"; "/no/dir" ] ~code:2 ~saying:[ "/no/dir" ]);
          test "nothing to compare with"
            (fails ("fib" :: "--compare" :: "/no/file" :: tiny) ~code:2 ~saying:[ "/no/file" ]);
          test "results of another program"
            (fails
               ("fib" :: "--compare" :: Sys.executable_name :: tiny)
               ~code:2 ~saying:[ "bench --json" ]);
          test "no such commit"
            (fails [ "--guard"; "no-such-commit" ] ~code:2 ~saying:[ "no-such-commit" ]);
          test "no such place for JSON"
            (fails ("fib" :: "--json" :: "/no/dir/f" :: tiny) ~code:2 ~saying:[ "/no/dir/f" ]);
        ] );
      ( "files",
        [
          test "JSON" json;
          test "comparison" compare;
          test "HTML" html;
          test "picture" picture;
          test "pattern" pattern;
        ] );
      ( "options",
        [
          test "--from" from;
          test "known sessions" known_sessions;
          test "too many domains" too_many;
          test "80 columns" fits;
          test "--list" (succeeds [ "--list" ] ~showing:[ "nbody"; "wake" ]);
          test "--brief" brief;
          test "fairness" (succeeds [ "fairness" ] ~showing:[ "beside sort: domainslib"; "late:" ]);
          test "--busy" spinning;
        ] );
    ]
