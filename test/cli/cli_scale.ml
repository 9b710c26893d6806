(* drover scale: what it says of a program, its files, and its errors. *)

open Command
open Programs
open Yojson.Safe.Util
module S = Drover.Scalability

let scale check =
  temporary ".json" (fun json ->
      temporary ".html" (fun html ->
          let code, _, err = call [ "scale"; "--json"; json; "--html"; html; subject; "2" ] in
          Alcotest.(check int) "the program's exit code" 3 code;
          check (Yojson.Safe.from_file json) (read html) err))

let number name json = member name json |> to_number

let figures () =
  scale (fun json _ err ->
      let work = number "work" json and span = number "span" json in
      Alcotest.(check bool) "work and span" true (0. < span && span <= work *. 1.0001);
      Alcotest.(check bool) "burdened" true (number "burdened_span" json >= span);
      let speedups = member "speedup" json |> to_list in
      let cores = List.map (fun s -> member "cores" s |> to_int) speedups in
      Alcotest.(check (list int)) "cores" [ 1; 2; 4; 8; 16; 32; 64; 128 ] cores;
      let ordered s =
        number "lower" s <= number "likely" s && number "likely" s <= number "upper" s
      in
      Alcotest.(check bool) "in order" true (List.for_all ordered speedups);
      let sites = member "sites" json |> to_list in
      let calls part =
        let is_there s =
          let place = member "place" s |> to_string in
          contains place part && not (String.starts_with ~prefix:"outside" place)
        in
        match List.find_opt is_there sites with
        | Some s -> member "calls" s |> to_int
        | None -> Alcotest.failf "%s is not among the call sites" part
      in
      Alcotest.(check int) "tasks" 500 (calls "Subject.blocks");
      Alcotest.(check int) "loops" 1 (calls "Subject.batches");
      List.iter (check_contains err) [ "parallelism"; "at least"; "where the span is" ];
      Alcotest.(check bool) "no colours" false (contains err "\027["))

let page () =
  scale (fun _ html _ ->
      List.iter (check_contains html)
        [ "<svg"; "prefers-color-scheme"; "viewport"; "overflow-wrap"; "subject.exe" ];
      Alcotest.(check bool)
        "nothing from the network" false
        (contains html "src=" || contains html "href="))

(* On a simulated machine *)
let simulated () =
  temporary ".json" (fun json ->
      temporary ".html" (fun html ->
          let code, _, err =
            call
              [
                "scale";
                "--simulate";
                "virtual";
                "--workers";
                "2,3";
                "--json";
                json;
                "--html";
                html;
                subject;
                "2";
              ]
          in
          Alcotest.(check int) "the program's exit code" 3 code;
          List.iter (check_contains err) [ "simulated speed-up on virtual"; "collecting" ];
          List.iter (check_contains (read html)) [ "simulated: both estimates"; "on virtual" ];
          let s = member "simulated" (Yojson.Safe.from_file json) in
          Alcotest.(check string) "machine" "virtual" (member "machine" s |> to_string);
          (* A task each, and signals *)
          Alcotest.(check bool) "events" true (member "events" s |> to_int > 1000);
          Alcotest.(check bool) "one worker" true (number "one_worker" s > 0.);
          let rows = member "speedup" s |> to_list in
          let workers = List.map (fun row -> member "workers" row |> to_int) rows in
          Alcotest.(check (list int)) "workers" [ 2; 3 ] workers;
          let is_in_order row = 0. < number "low" row && number "low" row <= number "high" row in
          Alcotest.(check bool) "in order" true (List.for_all is_in_order rows)))

(* Tables and advice, without a program. *)

let measured : S.t =
  {
    work = 10.;
    span = 1.;
    burdened_span = 2.;
    measuring = 0.;
    sites =
      [
        { place = "A.f (a.ml:1)"; calls = 3; iterations = 0; work = 9.; span = 0.9 };
        { place = "outside"; calls = 0; iterations = 0; work = 1.; span = 0.1 };
      ];
  }

open Drover_scale

let scaling ?here measured = Scaling.make ~program:"program" ~seconds:10. ?here [ measured ]
let show r = Fmt.str "%a" Print.pp r

let table () =
  let shown = show (scaling measured) in
  List.iter (check_contains shown)
    [ "A.f (a.ml:1)"; "90.0%"; "10.0"; "5.0 "; "  8"; "divide its work further" ]

(* Digits beyond two are not known; the bounds are those of all runs. *)
let runs () =
  let longer = { measured with span = 2.; burdened_span = 4. } in
  let r = Scaling.make ~program:"program" ~seconds:10. [ longer; measured; measured ] in
  let p = Scaling.predict r ~cores:8 in
  let alone m = S.predict m ~cores:8 in
  Alcotest.(check (float 1e-9)) "at least" (alone longer).lower p.lower;
  Alcotest.(check (float 1e-9)) "likely" (alone measured).likely p.likely;
  Alcotest.(check (float 1e-9)) "at most" (alone measured).upper p.upper;
  check_contains (show r) "1.00 s to 2.00 s in 3 runs"

let two_digits () =
  let check expected x = Alcotest.(check string) expected expected (Drover_show.Show.roughly x) in
  check "110000" 114997.36;
  check "15" 14.8;
  check "10" 9.96;
  check "16" 16.;
  check "128" 128.;
  check "3.9" 3.94;
  check "1.0" 1.;
  check "0.58" 0.5837

let repeated () =
  temporary ".json" (fun json ->
      let code, out, err = call [ "scale"; "--runs"; "3"; "--json"; json; subject; "2" ] in
      Alcotest.(check int) "the program's exit code" 3 code;
      let times = List.length (Str.split (Str.regexp_string "operations") out) - 1 in
      Alcotest.(check int) "one output" 1 times;
      check_contains err "in 3 runs";
      Alcotest.(check int) "runs" 3 (Yojson.Safe.from_file json |> member "runs" |> to_int))

let bars () =
  let check expected (lower, likely, upper) =
    Alcotest.(check string) expected expected (Print.bar { lower; likely; upper })
  in
  check "#" (0.5, 0.9, 1.);
  check "#++++...." (1., 2., 4.);
  check "#########" (4., 4., 4.)

let advice ?here m expected () =
  let found = Advice.about (scaling ?here m) in
  Alcotest.(check int) "how much" (List.length expected) (List.length found);
  List.iter2 check_contains found expected

let with_sites sites = { measured with span = 0.01; burdened_span = 0.02; sites }

let cheap : S.site =
  { place = "A.f (a.ml:1)"; calls = 3; iterations = 1_000_000_000; work = 8.; span = 0.001 }

let cheaper_elsewhere = { cheap with place = "B.g (b.ml:2)"; work = 1. }
let dearer_elsewhere = { cheap with place = "C.h (c.ml:3)"; iterations = 1_000_000; work = 0.9 }

let small_forks : S.site =
  { place = "D.i (d.ml:4)"; calls = 100_000_000; iterations = 0; work = 9.; span = 0.001 }

(* What the cores do to each other *)

let here : Here.t =
  {
    cores = 2;
    one = 10.;
    several = 15.;
    collections = 1.;
    speedup = 1.3;
    speedups = [ 1.2; 1.3; 1.4 ];
    disturbed = false;
    lost = false;
  }

let close = Alcotest.(check (float 1e-9))

(* All of it perfectly parallel. *)
let flat : S.t = { work = 10.; span = 0.; burdened_span = 0.; measuring = 0.; sites = [] }

let inflated () =
  close "inflation" 1.5 (Here.inflation here flat);
  let at cores = Here.predict here flat ~cores in
  close "one core" 1. (at 1).likely;
  close "two cores" (2. /. 1.5) (at 2).likely;
  close "at least, on the cores of the trials" (2. /. 1.5) (at 2).lower;
  close "it stays" (4. /. 1.5) (at 4).likely;
  close "it grows" (4. /. 2.5) (at 4).lower;
  let four = { here with cores = 4 } in
  let serial = { flat with span = 1.; burdened_span = 1. } in
  close "the span does not grow"
    (10. /. (6.25 +. (1.7 *. 1.5)))
    (Here.predict here serial ~cores:4).lower;
  close "fewer cores" (2. /. (1. +. (0.5 /. 3.))) (Here.predict four flat ~cores:2).likely

(* A tenth of the work is outside, runs alone, and takes as long as ever. *)
let alone () =
  close "inflation" (1. +. (0.5 /. 0.9)) (Here.inflation here measured);
  let inflated = Here.inflate here measured 2. in
  close "work" 19. inflated.work;
  close "span" 1.9 inflated.span;
  close "burdened" 3.9 inflated.burdened_span

(* A profile that finds too much in short strands, twice as much here as there is. *)
let proportions () =
  let exact = Here.predict here { measured with span = 0.5; burdened_span = 0.55 } ~cores:2 in
  let blown_up : S.t =
    {
      work = 19.;
      span = 0.9;
      burdened_span = 1.;
      measuring = 0.;
      sites = [ { place = "outside"; calls = 0; iterations = 0; work = 1.; span = 0.1 } ];
    }
  in
  close "likely" exact.likely (Here.predict here blown_up ~cores:2).likely

(* Where several minor heaps make collections rarer, nothing worse is known. *)
let deflated () =
  let here = { here with several = 8. } in
  let p = Here.predict here flat ~cores:2 in
  close "likely" (2. /. 0.8) p.likely;
  close "at least" 2. p.lower

let trials () =
  let trial workers seconds busy : Trial.t =
    { workers; seconds; busy; collecting = 0.1 *. busy; disturbed = busy > 8.; lost = 0 }
  in
  let pair seconds busy = (trial 1 2. 2., trial 2 seconds busy) in
  let here = Here.of_pairs [ pair 1.25 2.4; pair 9. 9.; pair 1.2 2. ] in
  Alcotest.(check int) "cores" 2 here.cores;
  close "the median" 2.4 here.several;
  close "collections" 0.04 here.collections;
  close "speed-up" 1.6 here.speedup;
  Alcotest.(check bool) "on a quiet machine" false here.disturbed

let shown () =
  let text = show (scaling ~here measured) in
  List.iter (check_contains text) [ "inflation"; "1.30x"; "structure"; "+10.0% for collections" ];
  let blank_ends = List.filter (String.ends_with ~suffix:" ") (String.split_on_char '\n' text) in
  Alcotest.(check (list string)) "no blanks at the end" [] blank_ends

(* On one core there is nothing to compare. *)
let calibrated () =
  temporary ".json" (fun json ->
      let code, out, err = call [ "scale"; "--calibrate"; "--json"; json; subject; "2" ] in
      Alcotest.(check int) "the program's exit code" 3 code;
      let times = List.length (Str.split (Str.regexp_string "operations") out) - 1 in
      Alcotest.(check int) "one output" 1 times;
      match Yojson.Safe.from_file json |> member "here" with
      | `Null -> check_contains err "one core"
      | here ->
          Alcotest.(check bool) "cores" true (member "cores" here |> to_int >= 2);
          List.iter
            (fun name -> Alcotest.(check bool) name true (number name here > 0.))
            [ "inflation"; "work_on_one"; "measured_speedup"; "likely_speedup" ])

(* The program says two. *)
let workers_from_outside () =
  let program = Result.get_ok (Drover_watch.Program.make [ subject; "2" ]) in
  let trial = Result.get_ok (Trial.run program ~workers:3) in
  Alcotest.(check int) "workers" 3 trial.workers;
  Alcotest.(check bool) "busy" true (0. < trial.busy && trial.collecting <= trial.busy)

let parse () =
  let lines =
    [ "program 0x1p+1 0x1p+0 0x1.8p+0 0x0p+0"; "site 2 0 0x1p+1 0x1p+0 A.f (a b.ml:1)" ]
  in
  let m = Measured.parse lines in
  Alcotest.(check (float 0.)) "work" 2. m.work;
  Alcotest.(check string) "place" "A.f (a b.ml:1)" (List.hd m.sites).place

let aliases () =
  let code, _, err = call [ "scale"; Filename.concat (Sys.getcwd ()) "aliases.exe" ] in
  Alcotest.(check int) "exit code" 0 code;
  check_contains err "parallelism"

let no_end mode why =
  fails [ "scale"; ending; mode ] ~code:126 ~saying:[ "it uses Drover"; "its end"; why ]

let asleep () =
  let r = { (scaling measured) with seconds = 40. } in
  check_contains (show r) "ran for 40.0 s and worked for 10.0 s";
  Alcotest.(check bool) "awake" false (contains (show (scaling measured)) "ran for")

(* Time that measuring took is neither work nor sleep. *)
let slowed () =
  let r = { (scaling { measured with measuring = 30. }) with seconds = 40.5 } in
  let shown = show r in
  check_contains shown "took 30.0 s more";
  Alcotest.(check bool) "not asleep" false (contains shown "ran for");
  Alcotest.(check bool) "not slowed" false (contains (show (scaling measured)) "s more")

let test name f = Alcotest.test_case name `Quick f

let () =
  Alcotest.run "cli scale"
    [
      ( "a program",
        [
          test "figures" figures;
          test "a page" page;
          test "several runs" repeated;
          test "aliases only" aliases;
          test "on a simulated machine" simulated;
        ] );
      ( "here",
        [
          test "inflation" inflated;
          test "code that runs alone" alone;
          test "proportions" proportions;
          test "deflation" deflated;
          test "trials" trials;
          test "shown" shown;
          test "a program" calibrated;
          test "workers" workers_from_outside;
        ] );
      ( "output",
        [
          test "tables" table;
          test "asleep" asleep;
          test "slowed" slowed;
          test "bars" bars;
          test "several runs" runs;
          test "two digits" two_digits;
          test "what a program says" parse;
          test "divide" (advice measured [ "A.f (a.ml:1)" ]);
          test "small pieces" (advice { measured with span = 0.01 } [ "cost of a steal" ]);
          test "inflation"
            (advice ~here
               { measured with span = 0.01; burdened_span = 0.02 }
               [ "55.6% longer on 2 cores" ]);
          test "disturbed"
            (advice ~here:{ here with disturbed = true }
               { measured with span = 0.01; burdened_span = 0.02 }
               []);
          test "nothing to say" (advice { measured with span = 0.01; burdened_span = 0.02 } []);
          test "cheap iterations"
            (advice
               (with_sites [ dearer_elsewhere; cheaper_elsewhere; cheap ])
               [ "A.f (a.ml:1) takes 8.00 ns, and as little in another place" ]);
          test "small forks"
            (advice (with_sites [ small_forks ]) [ "D.i (d.ml:4) takes 90.0 ns. Fork only" ]);
          test "serial"
            (advice { measured with sites = List.rev measured.sites } [ "does not fork" ]);
        ] );
      ( "mistakes",
        [
          test "no program" (fails [ "scale" ] ~code:127 ~saying:[ "which program" ]);
          test "killed"
            (fails
               [ "scale"; "sh"; "-c"; "kill -9 $$" ]
               ~code:126
               ~saying:[ "said nothing"; "It was ended by SIGKILL" ]);
          test "too many workers"
            (fails
               [ "scale"; "--simulate"; "laptop"; "--workers"; "2,9"; subject; "2" ]
               ~code:124 ~saying:[ "laptop has from 1 to 8" ]);
          test "no such machine"
            (fails
               [ "scale"; "--simulate"; "toaster"; subject ]
               ~code:124 ~saying:[ "two_sockets" ]);
          test "no such program" (fails [ "scale"; "./nothing" ] ~code:127 ~saying:[ "./nothing" ]);
          test "killed in a task" (no_end "kill" "It was ended by SIGKILL");
          test "Unix._exit" (no_end "_exit" "exit code 6");
          test "exec" (no_end "exec shell" "exit code 7");
          test "not Drover's"
            (fails [ "scale"; "true" ] ~code:126 ~saying:[ "does not use Drover" ]);
          test "no place"
            (fails [ "scale"; "--json"; "/no/f"; "true" ] ~code:126 ~saying:[ "/no/f"; "/no" ]);
        ] );
    ]
