(* drover tune: which setting it finds, the line that it prints, and its errors. *)

open Command
open Programs
open Drover_tune

let setting ?domains ?minor_heap ?space_overhead () : Setting.t =
  { domains; minor_heap; space_overhead }

let heap = setting ~minor_heap:4 ()
let heap_and_space = setting ~minor_heap:4 ~space_overhead:200 ()
let names = List.map Setting.name

(* A search in a world whose clock goes on only while programs run. *)

type log = { mutable clock : float; mutable runs : int; mutable race : int }

let search ?(budget = 1000.) ?(runs = 5) ?(noise = fun _ -> 1.) seconds =
  let log = { clock = 0.; runs = 0; race = 0 } in
  let measure setting =
    log.runs <- log.runs + 1;
    let sample seconds : Search.sample =
      let seconds = seconds *. noise log.runs in
      log.clock <- log.clock +. seconds;
      { seconds; memory = 1e6 *. float (1 + Setting.changes setting) }
    in
    Option.map sample (seconds setting)
  in
  let phase name steps = if name = "race" then log.race <- steps in
  let elapsed () = log.clock in
  let settings = Setting.all ~cores:2 ~now:2 in
  (Search.search { measure; elapsed; phase } ~budget ~runs settings, log)

let chosen (r : Search.result) =
  Option.fold r.choice ~none:"nothing" ~some:(fun (row : Search.row) -> Setting.name row.setting)

let finds expected ?noise seconds () =
  let r, _ = search ?noise seconds in
  Alcotest.(check string) "the choice" expected (chosen r)

let both_help (s : Setting.t) =
  let heap = if s.minor_heap = Some 4 then 0.8 else 1. in
  let space = if s.space_overhead = Some 200 then 0.9 else 1. in
  let domains = if s.domains = Some 1 then 1.9 else 1. in
  Some (heap *. space *. domains)

let one_domain (s : Setting.t) = Some (if s.domains = Some 1 then 0.5 else 1.)

(* All that use this heap gain the same. *)
let only_heap (s : Setting.t) = Some (if s.minor_heap = Some 8 then 0.7 else 1.)
let nothing (_ : Setting.t) = Some 1.
let a_little (s : Setting.t) = Some (if s = heap then 0.98 else 1.)
let fails_with_heap (s : Setting.t) = if s.minor_heap = Some 4 then None else both_help s

(* Every third run takes twice as long. *)
let noise run = if run mod 3 = 0 then 2. else 1.

let counts () =
  let r, log = search both_help in
  Alcotest.(check int) "settings" 32 (List.length (Setting.all ~cores:2 ~now:2));
  Alcotest.(check int) "runs of the race" (32 + 16 + 8 + 4) log.race;
  Alcotest.(check int) "turns" 5 (Search.turns r);
  Alcotest.(check int) "all runs" (log.race + (5 * List.length r.rows)) log.runs

let parts_and_base () =
  let r, _ = search both_help in
  let shown = names (List.map (fun (row : Search.row) -> row.setting) r.rows) in
  let is_there name = Alcotest.(check bool) name true (List.mem name shown) in
  List.iter is_there [ "as it is run"; "s=4M"; "o=200"; "s=4M, o=200" ]

let budget () =
  let r, log = search ~budget:40. both_help in
  Alcotest.(check bool) "not exceeded" true (log.clock <= 40.);
  Alcotest.(check bool) "enough turns" true (Search.turns r >= Search.least_turns);
  let r, log = search ~budget:5. both_help in
  Alcotest.(check bool) "not by much" true (log.clock <= 8.);
  Alcotest.(check string) "too few turns show nothing" "nothing" (chosen r)

let failing () =
  let r, _ = search fails_with_heap in
  Alcotest.(check string) "another" "o=200" (chosen r)

(* The choice alone *)

let row setting times ~memory : Search.row = { setting; times = Array.of_list times; memory }
let base = row Setting.as_it_is [ 1.; 1.; 1.; 1. ] ~memory:1e6
let steady seconds = [ seconds; seconds; seconds; seconds ]

let chooses expected rows () =
  let name (r : Search.row) = Setting.name r.setting in
  let choice = Search.choose (base :: rows) ~base in
  Alcotest.(check (option string)) "the choice" expected (Option.map name choice)

let less_memory =
  [
    row heap (steady 0.8) ~memory:9e6;
    row heap_and_space (steady 0.81) ~memory:6e6;
    row (setting ~space_overhead:200 ()) (steady 0.9) ~memory:2e6;
  ]

let fewer_changes =
  [ row heap_and_space (steady 0.8) ~memory:6e6; row heap (steady 0.81) ~memory:6.1e6 ]

(* Faster by a tenth in the middle, but not in three of four turns. *)
let by_chance =
  [ row heap_and_space [ 0.5; 0.6; 0.8; 0.8 ] ~memory:6e6; row heap (steady 0.8) ~memory:6e6 ]

let turns () =
  let check what expected times ~base =
    let base = row Setting.as_it_is base ~memory:1. in
    Alcotest.(check bool) what expected (Search.beats (row heap times ~memory:1.) base)
  in
  check "three of four" true [ 0.9; 1.1; 0.9; 0.9 ] ~base:(steady 1.);
  check "two of four" false [ 0.9; 1.1; 1.1; 0.5 ] ~base:(steady 1.);
  check "less than 3%" false (steady 0.98) ~base:(steady 1.);
  check "three in all" false [ 0.5; 0.5; 0.5 ] ~base:[ 1.; 1.; 1. ]

(* The line *)

let line ?(environment = []) setting words =
  Setting.line ~getenv:(fun name -> List.assoc_opt name environment) setting words

let prints expected ?environment setting words () =
  Alcotest.(check string) "the line" expected (line ?environment setting words)

let by_a_shell () =
  let words = [ "printf"; "%s|"; "it's"; "a b"; "$HOME"; ""; "*"; "\"" ] in
  temporary ".out" (fun out ->
      let command = line heap words ^ " > " ^ Filename.quote out in
      Alcotest.(check int) "exit code" 0 (Sys.command command);
      Alcotest.(check string) "what it got" "it's|a b|$HOME||*|\"|" (read out))

(* What is said of a machine that others use *)
let on_a_shared_machine () =
  let r, _ = search both_help in
  let says others =
    contains (Fmt.str "%a" (Print.pp ~program:"p" ~warnings:[] ~others) r) "Not a measurement"
  in
  Alcotest.(check (list bool))
    "half, a hundredth, unknown" [ true; false; false ]
    (List.map says [ Some 0.5; Some 0.01; None ])

(* Programs *)

let sh script = [ "sh"; "-c"; script ]
let tune ?(options = []) program = call (("tune" :: options) @ program)

(* The time is in the number of domains. *)
let gaining = "if test \"$DROVER_DOMAINS\" = 1; then exit 0; else sleep 0.1; fi"

let a_program () =
  temporary ".json" (fun json ->
      let code, out, err =
        call ~environment:[| "DROVER_DOMAINS=2" |] ([ "tune"; "--json"; json ] @ sh gaining)
      in
      Alcotest.(check int) "exit code" 0 code;
      check_contains out "DROVER_DOMAINS=1 ";
      check_contains err "as it is run";
      let open Yojson.Safe.Util in
      let figures = Yojson.Safe.from_file json in
      Alcotest.(check string) "the line" (String.trim out) (member "choice" figures |> to_string);
      Alcotest.(check int) "turns" 5 (member "turns" figures |> to_int))

let keeps_quiet () =
  let code, out, err = tune (sh "echo; echo loud; echo $$") in
  Alcotest.(check int) "exit code" 0 code;
  Alcotest.(check bool)
    "the program's output is not shown" false
    (contains out "\nloud" || contains err "\nloud");
  check_contains err "differed"

let the_same_output () =
  let _, _, err = tune (sh "echo 1") in
  Alcotest.(check bool) "no complaint" false (contains err "differed")

let one_setting_fails () =
  let script = "case $OCAMLRUNPARAM in *s=8M*) exit 9;; *) exit 0;; esac" in
  let code, _, err = tune (sh script) in
  Alcotest.(check int) "exit code" 0 code;
  List.iter (check_contains err) [ "s=8M is out"; "exit code 9" ]

let fails args ~code ~saying () =
  let found, out, err = call ("tune" :: args) in
  Alcotest.(check int) "exit code" code found;
  Alcotest.(check string) "no line" "" out;
  List.iter (check_contains err) saying

let memory () =
  let program = Result.get_ok (Drover_watch.Program.make [ subject; "1" ]) in
  let trial = Trial.run program ~bindings:[ ("OCAMLRUNPARAM", "s=1M") ] in
  Alcotest.(check bool) "exit code" true (trial.status = WEXITED 3);
  Alcotest.(check bool) "what Linux tells" true (trial.memory > 1e6);
  check_contains trial.last_lines "operations"

let test name f = Alcotest.test_case name `Quick f

let () =
  Alcotest.run "cli tune"
    [
      ( "search",
        [
          test "two changes" (finds "s=4M, o=200" both_help);
          test "one domain" (finds "domains=1" one_domain);
          test "no change for nothing" (finds "s=8M" only_heap);
          test "a noisy machine" (finds "domains=1" ~noise one_domain);
          test "nothing helps" (finds "nothing" nothing);
          test "less than 3%" (finds "nothing" a_little);
          test "how many runs" counts;
          test "who is in the final" parts_and_base;
          test "the budget" budget;
          test "on a shared machine" on_a_shared_machine;
          test "a setting that fails" failing;
        ] );
      ( "choice",
        [
          test "less memory" (chooses (Some "s=4M, o=200") less_memory);
          test "fewer changes" (chooses (Some "s=4M") fewer_changes);
          test "better by chance" (chooses (Some "s=4M") by_chance);
          test "in three of four turns" turns;
        ] );
      ( "the line",
        [
          test "all"
            (prints "DROVER_DOMAINS=2 OCAMLRUNPARAM=s=4M,o=200 ./a.exe -n 9"
               (setting ~domains:2 ~minor_heap:4 ~space_overhead:200 ())
               [ "./a.exe"; "-n"; "9" ]);
          test "as it is" (prints "./a.exe" Setting.as_it_is [ "./a.exe" ]);
          test "other parameters stay"
            (prints "OCAMLRUNPARAM=b,o=80,s=4M ./a.exe"
               ~environment:[ ("OCAMLRUNPARAM", "b,s=1M,o=80") ]
               heap [ "./a.exe" ]);
          test "typed into a shell" by_a_shell;
        ] );
      ( "programs",
        [
          test "one that gains" a_program;
          test "output" keeps_quiet;
          test "the same output" the_same_output;
          test "one setting fails" one_setting_fails;
          test "memory" memory;
        ] );
      ( "mistakes",
        [
          test "no program" (fails [] ~code:127 ~saying:[ "which program" ]);
          test "exit code"
            (fails (sh "seq 20; exit 3") ~code:126 ~saying:[ "exit code 3"; "\n11\n"; "20" ]);
          test "too small a budget"
            (fails ([ "--budget"; "0.001" ] @ sh "sleep 0.01") ~code:126 ~saying:[ "--budget" ]);
          test "too few runs" (fails [ "--runs"; "1"; "true" ] ~code:126 ~saying:[ "--runs 1" ]);
          test "no place" (fails [ "--json"; "/no/f"; "true" ] ~code:126 ~saying:[ "/no/f" ]);
        ] );
    ]
