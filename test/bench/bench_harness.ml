(* The parts of the benchmark: what they compute from given input. *)

open Drover_harness
open Drover_kernels
open Drover_show
open Command

let test name f = Alcotest.test_case name `Quick f
let check_float name = Alcotest.(check (float 1e-12)) name

(* Figures *)

let stats () =
  let a = [| 5.; 1.; 4.; 2. |] in
  check_float "median of four" 3. (Stats.median a);
  check_float "median of three" 2. (Stats.median [| 9.; 1.; 2. |]);
  check_float "minimum" 1. (Stats.minimum a);
  let s = Stats.summary a in
  check_float "the lower quartile" 1. s.low;
  check_float "the upper quartile" 4. s.high;
  check_float "spread" 1. (Stats.spread s);
  check_float "p99 of few" 5. (Stats.quantile 0.99 a);
  check_float "p50" 2. (Stats.quantile 0.5 a);
  Alcotest.check_raises "no samples" (Invalid_argument "Stats.median: no samples") (fun () ->
      ignore (Stats.median [||] : float))

let row ?(serial = 6.) version domains seconds : Outcome.row =
  {
    version;
    domains;
    obtained = domains;
    seconds = Stats.summary [| seconds |];
    speed_up = Stats.summary [| serial /. seconds |];
    minor_heap_words = 4096;
    pauses = Gc_pauses.none;
  }

let outcome : Outcome.t =
  {
    kernel = "k";
    kind = Program;
    about = "a <kernel>";
    note = "";
    others = Some 0.5;
    rows = [ row "serial" 1 6.; row "drover" 1 8.; row "drover" 2 4.; row "domainslib" 2 5. ];
  }

let speedups () =
  let drover2 = Option.get (Outcome.find outcome ~version:"drover" ~domains:2) in
  check_float "vs serial" 1.5 (Outcome.vs_serial drover2);
  check_float "vs self" 2. (Outcome.vs_self outcome drover2)

let means () =
  let fast = { outcome with kernel = "fast"; rows = [ row "serial" 1 6.; row "drover" 2 1. ] } in
  let summary = Fmt.str "%a" Table.pp (Tables.summary [ outcome; fast ]) in
  let line start =
    List.find (String.starts_with ~prefix:("  " ^ start)) (String.split_on_char '\n' summary)
  in
  (* The roots of 1.5 times 6 and, for Domainslib, of 1.2 alone. *)
  Alcotest.(check bool) "mean" true (contains (line "geometric mean") "3.00x");
  Alcotest.(check bool) "of those that are there" true (contains (line "geometric mean") "1.20x");
  Alcotest.(check bool) "least" true (contains (line "least") "1.50x");
  Alcotest.(check bool)
    "one has no mean" false
    (contains (Fmt.str "%a" Table.pp (Tables.summary [ fast ])) "mean")

let quiet : Outcome.t = { outcome with others = Some 0.01 }

let sentence () =
  let outcome = quiet in
  let slow = { outcome with kernel = "slow"; rows = [ row "serial" 1 6.; row "drover" 2 6. ] } in
  let kernel = { slow with kernel = "fib"; kind = Kernel } in
  let expected n times =
    Printf.sprintf
      "On this machine 2 domains run %s %s as fast as serial OCaml; one domain takes 1.33x the \
       time."
      n times
  in
  let check = Alcotest.(check (option string)) in
  check "one" (Some (expected "1 program" "1.50x")) (Tables.in_a_sentence [ outcome ]);
  check "the mean of programs"
    (Some (expected "2 programs" "1.22x"))
    (Tables.in_a_sentence [ outcome; slow; kernel ]);
  let alone = { outcome with rows = [ row "serial" 1 6.; row "drover" 1 8. ] } in
  check "one domain" None (Tables.in_a_sentence [ alone ])

let on_a_shared_machine () =
  let check what expected outcomes =
    let sentence = Option.get (Tables.in_a_sentence outcomes)
    and summary = Fmt.str "%a" Table.pp (Tables.summary outcomes) in
    let warns = "ot a measurement: other programs used 50% of this machine" in
    Alcotest.(check (pair bool bool))
      what (expected, expected)
      (contains sentence ("N" ^ warns), contains summary ("n" ^ warns))
  in
  check "all beside others" true [ outcome ];
  check "half of them" true [ outcome; quiet ];
  check "one in four" false [ outcome; quiet; quiet; quiet ];
  check "none" false [ quiet ]

let report_opens () =
  let machine = Machine.here () in
  let page = Report.to_html { machine; parameters = []; kernels = [ outcome ]; probes = [] } in
  let place part = Str.search_forward (Str.regexp_string part) page 0 in
  let sentence = Option.get (Tables.in_a_sentence [ outcome ]) in
  Alcotest.(check bool) "the sentence first" true (place sentence < place "<svg");
  Alcotest.(check bool) "then the chart, then tables" true (place "<svg" < place "<table")

let pauses () =
  let allocate () = ignore (Sys.opaque_identity (List.init 200_000 string_of_int) : string list) in
  let (_, p), seconds = Clock.time (fun () -> Gc_pauses.observe ~domains:1 3 allocate) in
  Alcotest.(check bool) "there are pauses" true (p.count > 0 && p.largest > 0. && p.share > 0.);
  Alcotest.(check bool) "ordered" true (p.p99 <= p.largest && p.largest <= seconds)

let contention () =
  let before = Contention.start () in
  Clock.spin_ns 20_000_000;
  match Contention.others before with
  | None -> ()
  | Some part -> Alcotest.(check bool) "a fraction" true (part >= 0.)

(* Wrong results *)

let problem ?(serial = succ) versions =
  Kernel.Problem
    {
      about = "successor";
      input = (fun () -> 1);
      serial;
      versions;
      check = Kernel.equal string_of_int;
      note = string_of_int;
      picture = None;
    }

let plan : Measure.plan =
  {
    domains = [ 1; 2 ];
    runs = 1;
    enough_seconds = infinity;
    minor_heap_words = None;
    warm_up_seconds = 0.;
    sample_seconds = 0.;
    brief = false;
  }

let measure versions = Measure.kernel plan ~progress:ignore ~name:"succ" (problem versions)

let wrong_results () =
  let wrong = Kernel.drover (fun n -> n + 2) in
  Alcotest.check_raises "always wrong"
    (Measure.Wrong_result "succ: drover on 1 domains gave a wrong result: expected 2, got 3")
    (fun () -> ignore (measure [ wrong ]));
  let calls = ref 0 in
  let flaky n =
    incr calls;
    if !calls > 2 then n else n + 1
  in
  Alcotest.check_raises "wrong later"
    (Measure.Wrong_result "succ: serial flaky on 1 domains gave a wrong result: expected 2, got 1")
    (fun () -> ignore (measure [ Kernel.serial "serial flaky" flaky ]))

let right_results () =
  let outcome, _ = measure [ Kernel.drover succ; Kernel.domainslib (fun _ n -> n + 1) ] in
  let shape = List.map (fun (r : Outcome.row) -> (r.version, r.domains)) outcome.rows in
  Alcotest.(check (list (pair string int)))
    "rows"
    [ ("serial", 1); ("drover", 1); ("drover", 2); ("domainslib", 1); ("domainslib", 2) ]
    shape

(* A machine that is faster in every other turn. In each, the serial program runs twice: the first time, to warm up. *)
let within_a_turn () =
  let turn = ref 0 in
  let sleep seconds = Unix.sleepf (if !turn / 2 mod 2 = 0 then seconds else 4. *. seconds) in
  let serial n =
    incr turn;
    sleep 0.04;
    n + 1
  and half n =
    sleep 0.02;
    n + 1
  in
  let plan = { plan with runs = 6; domains = [ 1 ]; brief = true } in
  let outcome, _ =
    Measure.kernel plan ~progress:ignore ~name:"turns" (problem ~serial [ Kernel.drover half ])
  in
  let row = Option.get (Outcome.find outcome ~version:"drover" ~domains:1) in
  let { Stats.low; high; _ } = row.speed_up in
  (* 0.5 to 8, if turns were mixed. A sleep may end late, beside other programs. *)
  if low < 1. || high > 4. then Alcotest.failf "of 2, %.2f to %.2f" low high

(* Output *)

let results : Store.t =
  { machine = Machine.here (); parameters = [ ("runs", "1") ]; kernels = [ outcome ]; probes = [] }

let json () =
  let open Yojson.Safe.Util in
  let text = Yojson.Safe.to_string (Store.to_json results) in
  let rows = Yojson.Safe.from_string text |> member "kernels" |> index 0 |> member "rows" in
  Alcotest.(check int) "rows" 4 (List.length (to_list rows));
  check_float "median" 4. (index 2 rows |> member "seconds" |> index 1 |> to_float)

let of_every_kind =
  let of_kind kind : Outcome.t = { outcome with kind } in
  { results with kernels = List.map of_kind [ Program; Kernel; Loop ] }

let store () =
  let file = Filename.temp_file "drover" ".json" in
  let figures = [ Probe.figure ~goal:(At_most 2.) ~column:"c" "a" "ns" 1.; Probe.speed "b" 3. ] in
  let written = { of_every_kind with probes = [ { probe = "p"; about = ""; figures } ] } in
  Store.save file written;
  let found = Store.read file in
  Sys.remove file;
  Alcotest.(check bool) "read back" true (found = Ok written)

let merged () =
  let faster = { outcome with rows = [ row "serial" 1 3. ] } in
  let other = { outcome with kernel = "other" } in
  let both =
    Store.merge { results with kernels = [ outcome; other ] } { results with kernels = [ faster ] }
  in
  Alcotest.(check bool) "the later one counts" true (both.kernels = [ other; faster ])

let readme () =
  let file = Filename.temp_file "drover" ".md" in
  let write text = Out_channel.with_open_bin file (fun oc -> output_string oc text) in
  write "before\n<!-- figures -->\nold\n<!-- end of figures -->\nafter\n";
  let updated = Figures.update file ~beside:[] results in
  let text = In_channel.with_open_bin file In_channel.input_all in
  Sys.remove file;
  Alcotest.(check (result unit string)) "done" (Ok ()) updated;
  List.iter
    (fun part -> Alcotest.(check bool) part true (contains text part))
    [
      "before\n<!--";
      "and 1.20x as fast with Domainslib.\n\
       Domainslib is faster on none, and as fast, within a twentieth, on none.\n\
       On one core, the Drover versions run 0.75x as fast as the serial ones.\n\
       <!-- end of figures -->\n\
       after\n";
    ]

(* A table for each kind, and one for what probes found. *)
let manual () =
  let file = Filename.temp_file "drover" ".mld" in
  let mark text = "{%html:<!-- " ^ text ^ " -->%}\n" in
  Out_channel.with_open_bin file (fun oc ->
      output_string oc (mark "figures" ^ mark "end of figures"));
  let figure : Probe.figure =
    { label = "a fork"; column = None; value = 7.9; unit_ = "ns"; goal = None }
  in
  let probes : Probe.outcome list = [ { probe = "fork"; about = ""; figures = [ figure ] } ] in
  let beside = [ { results with parameters = [ ("busy", "3") ] } ] in
  let updated = Figures.update file ~beside { of_every_kind with probes } in
  let text = In_channel.with_open_bin file In_channel.input_all in
  Sys.remove file;
  Alcotest.(check (result unit string)) "done" (Ok ()) updated;
  List.iter
    (fun part -> Alcotest.(check bool) part true (contains text part))
    [
      "{1 Programs}\n\n{table\n{tr {th program} {th serial} {th Drover, 1 domain}";
      "{1 Kernels}\n\n{table\n{tr {th kernel}";
      "{1 Loops and forks}\n\n{table\n{tr {th loop}";
      "{1 Costs}\n\n{table\n{tr {th what} {th }}\n{tr {td a fork} {td 7.90 ns}}\n}";
      "{tr {th program} {th alone} {th beside 3 processes}}";
      "{tr {td {e geometric mean}} {td 2.00x (1.50x)} {td 2.00x (1.50x)}}";
    ]

(* A row for each label, and a column for each of theirs; what is missing, and what is missed. *)
let columns () =
  let figure ?goal column label ns = Probe.figure ?goal ~column label "ns a fork" ns in
  let figures =
    [
      figure "drover@1" "for" 60. ~goal:(At_most 50.);
      figure "rayon@1" "for" 25.;
      figure "drover@1" "tree" 10.;
    ]
  in
  let table = Tables.of_probe { probe = "fork-shapes"; about = "a"; figures } in
  Alcotest.(check (list string)) "header" [ ""; "drover@1"; "rayon@1" ] table.header;
  Alcotest.(check (list (list string)))
    "rows"
    [ [ "for"; "60.0 !"; "25.0" ]; [ "tree"; "10.0"; "-" ] ]
    table.rows

let chart () =
  let svg = Picture.to_svg (Option.get (Chart.speedups ~machine:"m" [ outcome ])) ~style:"" in
  List.iter
    (fun part -> Alcotest.(check bool) part true (contains svg part))
    [ ">1.50x</text>"; "k 1.50x, Domainslib 1.20x"; "xmlns" ];
  Alcotest.(check bool)
    "one domain" true
    (Chart.speedups ~machine:"m" [ { outcome with rows = [ row "serial" 1 6. ] } ] = None)

let round_ticks () =
  let check highest expected =
    Alcotest.(check (list (float 1e-9))) (string_of_float highest) expected (Picture.ticks highest)
  in
  check 2. [ 0.; 0.5; 1.; 1.5; 2. ];
  check 2.1 [ 0.; 0.5; 1.; 1.5; 2.; 2.5 ];
  check 7. [ 0.; 2.; 4.; 6.; 8. ];
  check 100. [ 0.; 20.; 40.; 60.; 80.; 100. ]

let html () =
  let histogram = Array.mapi (fun i _ -> i) Gc_pauses.bounds in
  let paused (r : Outcome.row) = { r with pauses = { r.pauses with histogram } } in
  let outcome = { outcome with rows = List.map paused outcome.rows } in
  let page = Report.to_html { results with kernels = [ outcome ] } in
  let has part = Alcotest.(check bool) part true (contains page part) in
  List.iter has
    [ "<svg"; "<rect"; "a &lt;kernel&gt;"; "<td>1.50x</td>"; "not quiet"; "prefers-color-scheme" ];
  Alcotest.(check bool)
    "nothing from the network" false
    (contains page "src=" || contains page "href=\"http")

(* Comparisons *)

let times version samples : Compare.times =
  { kernel = "k"; version; domains = 1; seconds = Stats.summary samples }

let verdicts () =
  let around seconds = Array.init 9 (fun i -> seconds *. (1. +. (0.002 *. float (i - 4)))) in
  let session rows : Compare.session = { machine = "m"; rows } in
  let before = session [ times "a" (around 1.); times "b" (around 1.); times "c" (around 1.) ] in
  let noisy = [| 0.5; 1.5; 1.1; 0.7; 1.4; 0.6; 1.2; 1.0; 0.9 |] in
  let now =
    session [ times "a" (around 1.1); times "b" (around 0.5); times "c" noisy; times "d" noisy ]
  in
  let changes = Compare.changes ~before now in
  let verdict (c : Compare.change) = (c.now.version, c.verdict = Slower, c.verdict = Faster) in
  Alcotest.(check (list (triple string bool bool)))
    "verdicts"
    [ ("a", true, false); ("b", false, true); ("c", false, false) ]
    (List.map verdict changes);
  List.iter
    (fun (c : Compare.change) ->
      Alcotest.(check bool) "inside" true (c.low <= c.ratio && c.ratio <= c.high))
    changes;
  Alcotest.(check bool) "a regression" true (Compare.is_regression changes);
  Alcotest.(check bool) "none" false (Compare.is_regression (Compare.changes ~before before));
  let table = Fmt.str "%a" Table.pp (Compare.table ~before { now with machine = "n" }) in
  Alcotest.(check bool) "another machine" true (contains table "not the same machine")

(* Pairs *)

let verdict = Alcotest.testable (Fmt.of_to_string Pairs.word) ( = )

(* Fifteen ratios around [ratio], each up to [noise] off, and [wild] of them far off. *)
let ratios ?(wild = 0) ~noise ratio =
  let off i = noise *. (float ((i * 7 mod 15) - 7) /. 7.) in
  Array.init 15 (fun i -> if i < wild then 3. *. ratio else ratio *. (1. +. off i))

let judged () =
  let judges name expected ratios = Alcotest.check verdict name expected (Pairs.verdict ratios) in
  judges "the same" Same (ratios ~noise:0. 1.);
  judges "slower" Slower (ratios ~noise:0.02 1.06);
  judges "faster" Faster (ratios ~noise:0.02 0.94);
  judges "less than 3% slower" Same (ratios ~noise:0.005 1.02);
  judges "noise" Same (ratios ~noise:0.3 1.);
  judges "slower, but within the noise" Same (ratios ~noise:0.3 1.06);
  judges "slower at times" Same (ratios ~wild:6 ~noise:0.02 1.);
  judges "slower, with accidents" Slower (ratios ~wild:3 ~noise:0.02 1.06);
  let slower = ratios ~noise:0.02 1.06 and same = ratios ~noise:0.02 1. in
  let judges name expected relative =
    Alcotest.check verdict name expected (Pairs.verdict_of_both slower ~relative)
  in
  judges "slower than the serial program" Slower slower;
  judges "as is the serial program" Same same

(* Times and speeds, what only one program has, and what is not Drover's. *)
let guarded () =
  let session ~fork ~speed others : Store.t =
    let figures =
      [
        Probe.figure ~column:"drover@2" "tree" "ns a fork" fork;
        Probe.speed "regions" speed;
        Probe.figure "memory" "bytes" fork;
      ]
    in
    let probes : Probe.outcome list = [ { probe = "p"; about = ""; figures } ] in
    { results with kernels = { outcome with kernel = "k" } :: others; probes }
  in
  let before = session ~fork:10. ~speed:1.8 [] in
  let now = session ~fork:20. ~speed:3.6 [ { outcome with kernel = "new" } ] in
  let changes = Pairs.changes (List.init 15 (fun _ -> (before, now))) in
  let found (c : Pairs.change) = (c.kernel ^ ", " ^ c.what, (c.verdict, c.ratio)) in
  Alcotest.(check (list (pair string (pair verdict (float 1e-12)))))
    "changes"
    [
      ("k, drover@1", (Same, 1.));
      ("k, drover@2", (Same, 1.));
      ("p, tree, drover@2", (Slower, 2.));
      ("p, regions", (Faster, 0.5));
    ]
    (List.map found changes);
  Alcotest.(check string)
    "in words" "slower: p tree, drover@2 (2.00x)\nfaster: p regions (0.50x)" (Pairs.summary changes);
  Alcotest.(check bool) "a regression" true (Pairs.is_regression changes)

let table () =
  let t : Table.t =
    {
      title = "t";
      notes = [];
      header = [ "name"; "n" ];
      rows = [ [ "a"; "10" ]; [ "bcdef"; "2" ] ];
    }
  in
  Alcotest.(check string)
    "aligned" "t\n  name    n\n  -----  --\n  a      10\n  bcdef   2\n\n" (Fmt.str "%a" Table.pp t)

(* Kernels on known input *)

let glider = "#C a glider\nx = 3, y = 3, rule = B3/S23\nbo$2bo$\n3o! and then a comment"

let rle () =
  match Rle.parse glider with
  | Error why -> Alcotest.fail why
  | Ok p ->
      Alcotest.(check (pair int int)) "size" (3, 3) (p.width, p.height);
      Alcotest.(check (list (pair int int)))
        "cells"
        [ (0, 2); (1, 0); (1, 2); (2, 1); (2, 2) ]
        (List.sort compare p.alive)

let bad_rle () =
  let fails text why =
    match Rle.parse text with
    | Ok _ -> Alcotest.failf "%S was accepted" text
    | Error found -> Alcotest.(check string) text why found
  in
  fails "" "there is no header";
  fails "x = 3\no!" "line 1: the header does not give y";
  fails "x = 3, y = three\no!" "line 1: y is not a positive number: \"three\"";
  fails "x = 3, y = 3, rule = B36/S23\no!" "line 1: the rule is B36/S23; only B3/S23 is supported";
  fails "x = 1, y = 1\n2o!" "line 2: a cell lies outside of the 1 x 1 that the header gives";
  fails "x = 1, y = 1\nq!"
    "line 2: unexpected 'q': a pattern consists of digits, b, o, $ and a final !";
  fails "x = 1, y = 1\no" "the pattern does not end with !"

(* The figure that the benchmarks game publishes for a thousand steps. *)
let planets () =
  Alcotest.(check (float 5e-10)) "at first" (-0.169075164) (Nbody.planets_energy ~steps:0);
  Alcotest.(check (float 5e-10)) "later" (-0.169087605) (Nbody.planets_energy ~steps:1000)

let sorts () =
  let in_order _ f g =
    f ();
    g ()
  in
  let sort_one n =
    let a = Array.init n (fun i -> float (i * 7919 mod (n + 1))) in
    let expected = Array.copy a in
    Array.sort Float.compare expected;
    Mergesort.sort ~fork:in_order a;
    Alcotest.(check (array (float 0.))) (string_of_int n) expected a
  in
  List.iter sort_one [ 0; 1; 2; 24; 25; 100; 4097; 30_000 ]

let with_tree files f =
  let dir = Filename.temp_dir "drover" "" in
  let write (name, text) =
    Out_channel.with_open_bin (Filename.concat dir name) (fun oc -> output_string oc text)
  in
  let remove (name, _) = Sys.remove (Filename.concat dir name) in
  List.iter write files;
  Fun.protect
    ~finally:(fun () ->
      List.iter remove files;
      Sys.rmdir dir)
    (fun () -> f dir)

let index () =
  let files =
    [
      ("a.txt", "one two Two, three"); ("b.txt", "two\nx' _y"); ("c.bin", "two\000"); (".d", "two");
    ]
  in
  with_tree files (fun dir ->
      let tree = Result.get_ok (Text_tree.find dir) in
      Alcotest.(check int) "text files" 2 (Array.length tree.files);
      let look name t =
        Alcotest.(check (list (pair int int))) name [ (0, 2); (1, 1) ] (Index.lookup t "two");
        Alcotest.(check (list (pair int int))) name [ (1, 1) ] (Index.lookup t "x'");
        Alcotest.(check (list (pair int int))) name [] (Index.lookup t "four");
        Alcotest.(check int) name 5 (Index.words t)
      in
      look "serial" (Index.serial tree);
      look "drover" (Drover.run ~domains:2 (fun () -> Index.drover tree)))

let () =
  Alcotest.run "bench harness"
    [
      ( "figures",
        [
          test "statistics" stats;
          test "speed-ups" speedups;
          test "means" means;
          test "in a sentence" sentence;
          test "on a shared machine" on_a_shared_machine;
          test "the report opens with it" report_opens;
          test "GC pauses" pauses;
          test "contention" contention;
        ] );
      ( "results",
        [ test "wrong" wrong_results; test "right" right_results; test "turns" within_a_turn ] );
      ("comparisons", [ test "verdicts" verdicts; test "pairs" judged; test "guarded" guarded ]);
      ( "output",
        [
          test "JSON" json;
          test "JSON read" store;
          test "merged" merged;
          test "README" readme;
          test "figures of the manual" manual;
          test "figures in columns" columns;
          test "chart" chart;
          test "ticks" round_ticks;
          test "HTML" html;
          test "tables" table;
        ] );
      ( "kernels",
        [
          test "RLE" rle;
          test "bad RLE" bad_rle;
          test "planets" planets;
          test "merge sort" sorts;
          test "index" index;
        ] );
    ]
