(* drover stat: its figures against what the program itself counted, and its errors. *)

open Command
open Programs
open Yojson.Safe.Util

let known out what =
  let of_line line =
    match String.split_on_char ' ' line with
    | [ w; n ] when w = what -> int_of_string_opt n
    | _ -> None
  in
  match List.find_map of_line (String.split_on_char '\n' out) with
  | Some n -> n
  | None -> Alcotest.failf "the program did not say %s" what

(* Exit code, what the program knows, what the command found. *)
let watch domains =
  temporary ".json" (fun file ->
      let code, out, err = call [ "stat"; "--json"; file; subject; string_of_int domains ] in
      Alcotest.(check int) "the program's exit code" 3 code;
      (known out, Yojson.Safe.from_file file, err))

let int name figures = member name figures |> to_int
let float name figures = member name figures |> to_float

let agree domains () =
  let known, figures, err = watch domains in
  let same name what = Alcotest.(check int) name (known what) (int name figures) in
  Alcotest.(check int) "nothing lost" 0 (int "lost_words" figures);
  same "batched_operations" "operations";
  same "batches" "batches";
  (* The program counts before it ends. *)
  let count name what =
    let found = int name figures and least = known what in
    if found < least || found > least + 10 then
      Alcotest.failf "%s: %d, but the program counted %d" name found least
  in
  count "minor_collections" "minor";
  count "major_collections" "major";
  Alcotest.(check int) "workers" domains (int "workers" figures);
  List.iter
    (fun name ->
      let share = float name figures in
      Alcotest.(check bool) name true (share >= 0. && share <= 1.))
    [ "gc_share"; "minor_share"; "barrier_share" ];
  List.iter (check_contains err) [ "tasks"; "steals"; "minor collections"; "domains" ];
  Alcotest.(check bool) "no colours" false (contains err "\027[")

let tasks () =
  let known, figures, _ = watch 1 in
  Alcotest.(check int) "tasks" (known "tasks") (int "tasks" figures);
  Alcotest.(check int) "steals" 0 (int "steals" figures)

(* The main domain computes, is a worker for a while, and computes again; another worker helps. *)
let busy () =
  let a = Drover_stat.Account.create () in
  let tell ring at event = Drover_stat.Account.listen a ~ring ~at event in
  tell 0 100 (Pool_open 2);
  tell 0 110 (Worker (Some 0));
  tell 0 115 (Task Begin);
  tell 1 120 (Worker (Some 1));
  tell 1 125 (Task Begin);
  tell 1 145 (Task End);
  tell 0 150 (Task End);
  tell 0 160 (Worker None);
  tell 0 167 (Pool_close 2);
  Alcotest.(check int) "all in all" 67 (Drover_stat.Account.span a);
  Alcotest.(check int) "with something to do" (10 + 35 + 20 + 7) (Drover_stat.Account.busy a)

(* What is open when the program ends is over then. *)
let cut () =
  let a = Drover_stat.Account.create () in
  let tell ring at event = Drover_stat.Account.listen a ~ring ~at event in
  tell 0 100 Program_begins;
  tell 0 100 (Worker (Some 0));
  tell 0 110 (Task Begin);
  tell 0 120 (Begin EV_MINOR);
  tell 1 100 (Worker (Some 1));
  tell 1 105 (Park Begin);
  tell 0 200 Program_ends;
  let sum f = Drover_stat.Account.sum a f in
  Alcotest.(check int) "in tasks" 90 (sum (fun d -> d.in_tasks));
  Alcotest.(check int) "collecting in them" 80 (sum (fun d -> d.paused_in_tasks));
  Alcotest.(check int) "parked" 95 (sum (fun d -> d.parked));
  Alcotest.(check int) "all in all" 100 (Drover_stat.Account.span a)

(* Of loops it is known how long they took, and not how many workers took part. *)
let cheap_loops () =
  let a = Drover_stat.Account.create () in
  let tell ring at event = Drover_stat.Account.listen a ~ring ~at event in
  tell 0 100 (Pool_open 2);
  let loop ring times iterations =
    List.iter (fun time -> tell ring 200 (Loop_time time)) times;
    tell ring 200 (Loop iterations)
  in
  loop 0 [ 4000; 5000 ] 1000;
  loop 1 [ 20_000 ] 1000;
  loop 0 [ 1000 ] 1000;
  Alcotest.(check int) "how long" 10_000 a.cheap_loops;
  Alcotest.(check int) "how many" 2000 a.cheap_iterations;
  Alcotest.(check int) "on two workers" 20_000 a.in_cheap_iterations

(* Calls of named parts *)

module Parts = Drover_stat.Parts

let parts events =
  let t = Parts.create () in
  List.iter (fun (ring, at, event) -> Parts.listen t ~ring ~at event) events;
  Parts.finish t ~at:1_000_000_000;
  List.map
    (fun (p : Parts.figures) ->
      let ns seconds = int_of_float (Float.round (seconds *. 1e9)) in
      (p.name, [ p.calls; ns p.total; ns p.longest; ns p.elapsed ], p.workers))
    (Parts.figures t)

let check_parts = Alcotest.(check (list (triple string (list int) (float 1e-6))))

(* As the rings are read: one after the other. *)
let parts_at_once () =
  check_parts "two calls that overlap, and one inside"
    [ ("a", [ 2; 80; 50; 60 ], 95. /. 60.); ("b", [ 1; 10; 10; 10 ], 2.) ]
    (parts
       [
         (0, 10, Task Begin);
         (0, 10, Named ("a", Begin));
         (0, 45, Named ("b", Begin));
         (0, 55, Named ("b", End));
         (0, 60, Named ("a", End));
         (0, 65, Task End);
         (1, 30, Task Begin);
         (1, 40, Named ("a", Begin));
         (1, 70, Named ("a", End));
         (1, 80, Task End);
       ])

let parts_that_wait () =
  check_parts "a wait counts, and its end on another ring, heard before"
    [ ("a", [ 1; 90; 90; 90 ], 50. /. 90.) ]
    (parts
       [
         (0, 70, Task Begin);
         (0, 70, Resume 7);
         (0, 100, Named ("a", End));
         (0, 110, Task End);
         (1, 10, Task Begin);
         (1, 10, Named ("a", Begin));
         (1, 30, Suspend 7);
         (1, 30, Task End);
       ])

let parts_outside () =
  check_parts "the main program, that lends its thread"
    [ ("a", [ 1; 50; 50; 50 ], 40. /. 50.) ]
    (parts
       [
         (0, 10, Named ("a", Begin));
         (0, 20, Worker (Some 0));
         (0, 25, Task Begin);
         (0, 40, Task End);
         (0, 45, Worker None);
         (0, 60, Named ("a", End));
       ])

let parts_unended () =
  check_parts "until the end"
    [ ("a", [ 1; 600_000_000; 600_000_000; 600_000_000 ], 1.) ]
    (parts [ (0, 400_000_000, Task Begin); (0, 400_000_000, Named ("a", Begin)) ])

let parts_of_a_program () =
  let _, figures, err = watch 2 in
  let name part = member "name" part |> to_string in
  let parts = List.sort (fun a b -> compare (name a) (name b)) (to_list (member "parts" figures)) in
  Alcotest.(check (list string)) "names" [ "allocate"; "blocks" ] (List.map name parts);
  let check_part part =
    Alcotest.(check int) "calls" 1 (int "calls" part);
    let elapsed = float "elapsed_seconds" part and workers = float "workers" part in
    Alcotest.(check bool) "it took time" true (elapsed > 0. && elapsed <= float "seconds" figures);
    Alcotest.(check (float 1e-9)) "one call" elapsed (float "total_seconds" part);
    Alcotest.(check bool) "workers" true (workers > 0. && workers <= 2.)
  in
  List.iter check_part parts;
  List.iter (check_contains err) [ "named parts"; "blocks"; "elapsed" ]

(* Waits *)

module Waits = Drover_stat.Waits

let waits events =
  let t = Waits.create () in
  List.iter (fun (ring, at, event) -> Waits.listen t ~ring ~at event) events;
  Waits.finish t ~at:1_000;
  List.map
    (fun (w : Waits.figures) ->
      let ns seconds = int_of_float (Float.round (seconds *. 1e9)) in
      (w.what, [ w.waits; ns w.total; ns w.longest ]))
    (Waits.figures t)

let check_waits = Alcotest.(check (list (pair string (list int))))

let waits_of_rings () =
  check_waits "whichever ring is read first"
    [ ("locks a", [ 2; 50; 30 ]); ("awaits b", [ 1; 10; 10 ]) ]
    (waits
       [
         (0, 40, Resume 1);
         (0, 50, Wait "locks a");
         (0, 50, Suspend 2);
         (1, 10, Wait "locks a");
         (1, 10, Suspend 1);
         (1, 12, Wait "awaits b");
         (1, 12, Suspend 3);
         (1, 22, Resume 3);
         (1, 70, Resume 2);
       ])

let waits_of_nothing () =
  check_waits "one that goes on, and one of which nobody has said for what"
    [ ("locks a", [ 1; 900; 900 ]) ]
    (waits [ (0, 50, Suspend 1); (0, 60, Resume 1); (0, 100, Wait "locks a"); (0, 100, Suspend 2) ])

let places_of_waits () =
  let check what expected =
    let place = Waits.place { what; waits = 1; total = 1.; longest = 1. } in
    Alcotest.(check (option (pair string string))) what expected place
  in
  check "awaits a promise" None;
  check "locks the lock in the shop" None;
  check "locks the lock in the shop in A.f.(fun) (b/c.ml:12)"
    (Some ("locks the lock in the shop", "A.f.(fun) (b/c.ml:12)"))

(* Each task of the program waits for its gate. *)
let waits_of_a_program () =
  let _, figures, err = watch 2 in
  let waits = to_list (member "waits" figures) in
  let at_gate wait =
    let what = member "what" wait |> to_string in
    what = "awaits a promise" || contains what "awaits a promise in Subject"
  in
  let times = List.fold_left (fun n wait -> n + int "times" wait) 0 (List.filter at_gate waits) in
  Alcotest.(check bool) (Printf.sprintf "%d waits" times) true (times >= 500);
  List.iter (check_contains err) [ "waits of tasks"; "awaits a promise  "; "  in Subject" ]

(* How the command ends where the program does, and what it says of that. *)
let ends mode ~code ~saying () =
  temporary ".json" (fun file ->
      let found, _, err = call [ "stat"; "--json"; file; ending; mode ] in
      Alcotest.(check int) ("exit code: " ^ err) code found;
      List.iter (check_contains err) saying;
      let figures = Yojson.Safe.from_file file in
      let share domain name =
        let share = float name domain in
        if not (share >= 0. && share <= 1.) then
          Alcotest.failf "%s: %g in %s" name share (Yojson.Safe.to_string figures)
      in
      let domains = member "domains" figures |> to_list in
      let shares domain = List.iter (share domain) [ "in_tasks"; "collecting"; "parked" ] in
      List.iter shares domains;
      if List.mem mode [ "exit"; "kill" ] then
        Alcotest.(check bool) "a task ran" true (float "longest_task" figures > 0.))

let traced mode ~code ~saying () =
  temporary ".json" (fun file ->
      let found, _, err = call [ "trace"; "-o"; file; ending; mode ] in
      Alcotest.(check int) ("exit code: " ^ err) code found;
      List.iter (check_contains err) saying;
      ignore (Yojson.Safe.from_file file : Yojson.Safe.t))

(* A command that is to end ends the program, and leaves nothing behind. *)
let terminated ?(code = 143) args () =
  let dir = Filename.temp_dir "drover" ".tmp" in
  let entries dir = List.map (Filename.concat dir) (Array.to_list (Sys.readdir dir)) in
  let is_watched pid =
    if List.hd args = "scale" then List.concat_map entries (entries dir) <> []
    else contains (read (Printf.sprintf "/proc/%d/maps" pid)) ".events"
  in
  let rec terminate pid =
    if is_watched pid then Unix.kill pid Sys.sigterm
    else begin
      Unix.sleepf 0.01;
      terminate pid
    end
  in
  let found, _, err =
    call ~environment:[| "TMPDIR=" ^ dir |] ~during:terminate (args @ [ ending; "forever" ])
  in
  Alcotest.(check (list string)) "nothing is left" [] (entries dir);
  Sys.rmdir dir;
  Alcotest.(check int) ("exit code: " ^ err) code found;
  check_contains err "was ended by SIGTERM"

let unseen = [ "Nothing is known about the last"; "exec" ]

module Watch = Drover_watch.Watch

let heard_loops () =
  let loops = ref [] and times = ref 0 in
  let listen ~ring:_ ~at:_ (event : Drover_watch.Event.t) =
    match event with Loop n -> loops := n :: !loops | Loop_time _ -> incr times | _ -> ()
  in
  let program = Result.get_ok (Drover_watch.Program.make [ ending; "loops" ]) in
  let outcome = Result.get_ok (Watch.run program ~on_lost:ignore listen) in
  Alcotest.(check int) "exit code" 0 (Watch.exit_code outcome);
  Alcotest.(check (list int)) "those by iterations" [ 2000; 1000 ] !loops;
  Alcotest.(check bool) "times" true (!times >= 2)

(* Comparisons *)

(* The time is in the number of domains. *)
let gaining = "if test \"$DROVER_DOMAINS\" = 1; then sleep 0.1; fi; exec " ^ ending ^ " loops"

let compare_ script check =
  temporary ".json" (fun json ->
      let args = [ "stat"; "--compare"; "--json"; json; "sh"; "-c"; script ] in
      let code, out, err = call ~environment:[| "DROVER_DOMAINS=2" |] args in
      check code out err (member "comparison" (Yojson.Safe.from_file json)))

let compared () =
  compare_ gaining (fun code out err comparison ->
      Alcotest.(check int) "exit code" 0 code;
      Alcotest.(check string) "one output" "2000\n" out;
      check_contains err "over one domain";
      Alcotest.(check bool) "no complaint" false (contains err "differed");
      let low = float "speed_up_low" comparison and median = float "speed_up" comparison in
      Alcotest.(check bool) "faster" true (1. < median);
      Alcotest.(check bool)
        "spread" true
        (low <= median && median <= float "speed_up_high" comparison);
      Alcotest.(check bool)
        "times" true
        (float "seconds" (member "base" comparison) > float "seconds" (member "program" comparison));
      (* The collector of a shell says nothing, but that of the program which it becomes. *)
      Alcotest.(check bool)
        "collections" true
        (float "minor_collections" (member "program" comparison) >= 0.))

(* Another command, in place of one domain. *)
let compared_with command check =
  temporary ".json" (fun json ->
      let args = [ "stat"; "--compare=" ^ command; "--json"; json; ending; "loops" ] in
      let code, out, err = call args in
      Alcotest.(check int) ("exit code: " ^ err) 0 code;
      Alcotest.(check string) "one output" "2000\n" out;
      let figures = Yojson.Safe.from_file json in
      let said = String.concat "\n" (List.map to_string (to_list (member "advice" figures))) in
      check err said (member "comparison" figures))

let compared_with_itself () =
  compared_with (ending ^ " loops") (fun err said comparison ->
      let side name = member name comparison in
      Alcotest.(check bool) "no other output" false (contains said "another than the program's");
      List.iter (check_contains err) [ "speed-up"; ending ^ " loops"; "middle half"; "words" ];
      Alcotest.(check int) "turns" 5 (int "turns" comparison);
      let words name = float "allocated_words" (side name) in
      Alcotest.(check bool)
        "as many words" true
        (words "base" > 0. && Float.abs (words "base" -. words "program") < 0.1 *. words "base"))

let compared_with_no_ocaml () =
  compared_with "sh -c true" (fun _ said comparison ->
      check_contains said "The output of sh is another than the program's";
      Alcotest.(check bool)
        "its collector says nothing" true
        (member "allocated_words" (member "base" comparison) = `Null))

let compared_with_a_failure () =
  compared_with "false" (fun _ said comparison ->
      List.iter (check_contains said) [ "no comparison"; "exit code 1" ];
      Alcotest.(check bool) "nothing" true (comparison = `Null))

let not_compared script ~code ~saying () =
  compare_ script (fun found _ err comparison ->
      Alcotest.(check int) "exit code" code found;
      List.iter (check_contains err) saying;
      Alcotest.(check bool) "nothing" true (comparison = `Null))

let unequal_output () =
  compare_
    ("echo $$; exec " ^ ending ^ " loops")
    (fun code _ err _ ->
      Alcotest.(check int) "exit code" 0 code;
      check_contains err "differed")

(* A program that becomes another one when it has been heard. *)
let watched mode check =
  let dir = Filename.temp_dir "drover" "" in
  let heard = Filename.concat dir "heard" in
  let ends = ref 0 in
  let listen ~ring:_ ~at:_ (event : Drover_watch.Event.t) =
    if event = Program_ends then incr ends;
    if not (Sys.file_exists heard) then Out_channel.with_open_bin heard ignore
  in
  let program = Result.get_ok (Drover_watch.Program.make [ ending; mode; heard ]) in
  let outcome = Watch.run program ~on_lost:ignore listen in
  Sys.remove heard;
  Sys.rmdir dir;
  check (Result.get_ok outcome) !ends

let become () =
  watched "exec" (fun outcome ends ->
      Alcotest.(check int) "exit code" 8 (Watch.exit_code outcome);
      Alcotest.(check int) "becomes another" 1 outcome.execs;
      Alcotest.(check int) "each ends" 2 ends;
      Alcotest.(check (float 0.)) "all seen" 0. outcome.unseen;
      check_contains (String.concat " " (Watch.remarks outcome)) "replaced itself by another (exec)")

let vanish () =
  watched "exec shell" (fun outcome ends ->
      Alcotest.(check int) "exit code" 7 (Watch.exit_code outcome);
      Alcotest.(check int) "not that is known" 0 outcome.execs;
      Alcotest.(check int) "ends" 1 ends;
      Alcotest.(check bool) "unseen" true (outcome.unseen > 0.))

let lack () =
  let outcome idle =
    {
      Watch.status = WEXITED 0;
      seconds = 2.;
      cpu = 1.;
      idle;
      lost = 0;
      hears_drover = true;
      execs = 0;
      unseen = 0.;
    }
  in
  let check ?(unserved = 0.) name expected idle busy =
    Alcotest.(check bool) name true (Watch.lack (outcome idle) ~busy ~unserved = expected)
  in
  check "processors at work" Watch.Nothing (Some 2.) 1.1;
  check "processors that nobody used" Watch.Asleep (Some 2.) 2.;
  check "processors that others used" Watch.Taken (Some 0.1) 2.;
  check "the workers waited, whatever the machine says" ~unserved:0.9 Watch.Taken (Some 2.) 2.;
  check "nobody knows" Watch.Taken None 2.

(* The file that a runtime writes: 8 words, of which the sixth and seventh say where the main ring's
   head and tail are, and its first event. *)
let ring_file () =
  let module R = Drover_watch.Ring_file in
  let state ~head ~tail ~first_time =
    let dir = Filename.temp_dir "drover" "" in
    let file = Filename.concat dir "1.events" in
    let words = [ 1; 1; 16; 16; 2; 64; 80; 96; head; tail; 0; first_time ] in
    let bytes = Bytes.create (8 * List.length words) in
    List.iteri (fun i word -> Bytes.set_int64_ne bytes (8 * i) (Int64.of_int word)) words;
    Out_channel.with_open_bin file (fun oc -> output_bytes oc bytes);
    let state = R.state (R.make ~dir 1) in
    Sys.remove file;
    Sys.rmdir dir;
    state
  in
  let before = state ~head:0 ~tail:10 ~first_time:5 in
  let check name expected now = Alcotest.(check bool) name expected (R.is_continued ~before now) in
  check "the same" true before;
  check "longer" true (state ~head:0 ~tail:20 ~first_time:5);
  check "written over" true (state ~head:4 ~tail:20 ~first_time:9);
  check "begun anew" false (state ~head:0 ~tail:2 ~first_time:9);
  check "begun anew, and longer" false (state ~head:0 ~tail:20 ~first_time:9);
  check "gone" true None

(* Figures and their advice, without a program. *)

let quiet : Drover_stat.Figures.t =
  {
    seconds = 10.;
    cpu = 20.;
    workers =
      List.init 2 (fun i ->
          {
            Drover_stat.Figures.ring = i;
            name = string_of_int i;
            busy = 0.98;
            in_tasks = 0.97;
            collecting = 0.01;
            parked = 0.;
            unknown = 0.;
            tasks = 10;
            steals = 1;
          });
    size = 2;
    tasks = 20;
    resumed = 0;
    steals = 2;
    parks = 0;
    longest_task = 1.;
    cheap_loops = 0.;
    cheap_iteration = 0.;
    batches = { count = 0; operations = 0; largest = 0 };
    parts = [];
    waits = [];
    minor_collections = 10;
    major_collections = 1;
    gc_share = 0.01;
    minor_share = 0.005;
    barrier_share = 0.;
    unserved = 0.;
    fewer_share = 0.;
    pauses = [| 0.001 |];
    unknown = 0.;
    lost = 0;
    uses_drover = true;
    lack = Nothing;
    remarks = [];
    comparison = None;
  }

let advice (figures : Drover_stat.Figures.t) expected () =
  let found = Drover_stat.Advice.about figures in
  Alcotest.(check int) "how much" (List.length expected) (List.length found);
  List.iter2 (fun part text -> check_contains text part) expected found

let comparison times : Drover_stat.Comparison.t option =
  let side command times = { Drover_stat.Comparison.command; times; memory = 1e7; gc = None } in
  Some
    {
      over = "one domain";
      base = side "a" times;
      own = side "b" (Array.mapi (fun i _ -> if i = 1 then 2. else 1.) times);
      others = Some 0.;
    }

let shown_speed_up () =
  let comparison = comparison [| 1.8; 4.; 2.2 |] in
  let shown = Fmt.str "%a" (Drover_stat.Print.pp "program") { quiet with comparison } in
  List.iter (check_contains shown) [ "2.00x"; "speed-up"; "3 turns"; "1.80x and 2.20x" ]

let remarks_on_comparisons () =
  let check name times ?(others = 0.) expected =
    let comparison = Option.get (comparison times) in
    let found = Drover_stat.Comparison.warnings { comparison with others = Some others } in
    Alcotest.(check int) name (List.length expected) (List.length found);
    List.iter2 (fun part text -> check_contains text part) expected found
  in
  check "clear" [| 2.; 4.; 2.; 2. |] [];
  check "not clear" [| 2.; 1.; 0.5; 2. |] [ "No difference" ];
  check "few" [| 2.; 4. |] [ "2 turns only" ];
  check "a load" [| 2.; 4.; 2.; 2. |] ~others:0.5 [ "used 50% of this machine" ]

let idle = List.map (fun (w : Drover_stat.Figures.worker) -> { w with busy = 0.5 }) quiet.workers

(* Pauses *)

module Pause = Drover_watch.Pause

let pauses () =
  let p = Pause.create () in
  let ends at phase = Pause.ends p at phase in
  Alcotest.(check bool) "an end alone" true (ends 1 EV_MINOR = None);
  Pause.begins p 10 EV_STW_LEADER;
  Pause.begins p 15 EV_MINOR;
  Pause.begins p 30 EV_MINOR_LEAVE_BARRIER;
  Alcotest.(check bool) "inside" true (ends 34 EV_MINOR_LEAVE_BARRIER = None);
  Alcotest.(check bool) "still" true (ends 35 EV_MINOR = None);
  match ends 40 EV_STW_LEADER with
  | None -> Alcotest.fail "no pause"
  | Some pause ->
      Alcotest.(check (list int))
        "figures" [ 10; 40; 16; 14 ]
        [ pause.start; pause.finish; pause.in_minor; pause.waiting ]

let mark () =
  let check given expected =
    Alcotest.(check (list string))
      "marked" expected
      (Drover_watch.Program.mark ~takes_value:[ "-o" ] given)
  in
  check [ "-o"; "f"; "--html"; "p"; "-o"; "x" ] [ "-o"; "f"; "--html"; "--"; "p"; "-o"; "x" ];
  check [ "-o"; "f"; "--"; "p" ] [ "-o"; "f"; "--"; "p" ];
  check [ "--help" ] [ "--help" ]

(* A program that goes on until it is killed, and that writes events from its start. *)
let running () =
  let dir = Filename.temp_dir "drover" ".running" in
  let environment =
    Array.append
      [| "OCAML_RUNTIME_EVENTS_START=1"; "OCAML_RUNTIME_EVENTS_DIR=" ^ dir |]
      (Unix.environment ())
  in
  let pid =
    Unix.create_process_env ending [| ending; "forever" |] environment Unix.stdin Unix.stdout
      Unix.stderr
  in
  let file = Filename.concat dir (string_of_int pid ^ ".events") in
  let finally () =
    Unix.kill pid Sys.sigkill;
    ignore (Unix.waitpid [] pid);
    if Sys.file_exists file then Sys.remove file;
    Sys.rmdir dir
  in
  Fun.protect ~finally (fun () ->
      (* Until there is something to read. *)
      let rec attempts n =
        let code, _, err = call [ "stat"; "--pid"; string_of_int pid; "--seconds"; "0.3" ] in
        if code = 126 && n > 0 then begin
          Unix.sleepf 0.1;
          attempts (n - 1)
        end
        else begin
          Alcotest.(check int) "exit code" 0 code;
          List.iter (check_contains err)
            [ Printf.sprintf "process %d" pid; "wall"; "minor collections" ]
        end
      in
      attempts 100)

(* The command as somebody who may look at nobody else's processes, if the test may become that. *)
let other_user () =
  let nobody = 65534 and not_to_be_had = 99 in
  temporary ".err" (fun file ->
      let err = Unix.openfile file [ O_WRONLY; O_CLOEXEC ] 0 in
      let root = string_of_int (Unix.getpid ()) in
      let call () =
        Unix.dup2 err Unix.stderr;
        if Unix.geteuid () = 0 then Unix.setuid nobody;
        let command = Sys.getenv "COMMAND" in
        let process = if Unix.getuid () = nobody then root else "1" in
        Unix.execv command [| command; "stat"; "--pid"; process |]
      in
      match Unix.fork () with
      | 0 -> ( try call () with Unix.Unix_error _ -> Unix._exit not_to_be_had)
      | pid ->
          Unix.close err;
          let _, status = Unix.waitpid [] pid in
          if status = WEXITED not_to_be_had then Alcotest.skip ();
          check_contains (read file) "of another user";
          Alcotest.(check bool) "exit code" true (status = WEXITED 126))

let test name f = Alcotest.test_case name `Quick f

let () =
  Alcotest.run "cli stat"
    [
      ( "figures",
        [
          test "one domain" (agree 1);
          test "two domains" (agree 2);
          test "tasks" tasks;
          test "pauses" pauses;
          test "busy" busy;
          test "cheap loops" cheap_loops;
          test "loops of a program" heard_loops;
          test "where a program starts" mark;
          test "cut" cut;
          test "processors" lack;
          test "ring file" ring_file;
        ] );
      ( "parts",
        [
          test "at once" parts_at_once;
          test "that wait" parts_that_wait;
          test "outside tasks" parts_outside;
          test "that do not end" parts_unended;
          test "of a program" parts_of_a_program;
        ] );
      ( "waits",
        [
          test "of rings" waits_of_rings;
          test "of nothing that is known" waits_of_nothing;
          test "places" places_of_waits;
          test "of a program" waits_of_a_program;
        ] );
      ( "ends",
        [
          test "an exit in a task" (ends "exit" ~code:5 ~saying:[]);
          test "an exception" (ends "raise" ~code:2 ~saying:[ "Exit" ]);
          test "a kill in a task" (ends "kill" ~code:137 ~saying:[ "was ended by SIGKILL" ]);
          test "a SIGTERM to stat" (terminated [ "stat" ]);
          test "a SIGTERM to trace" (terminated [ "trace"; "-o"; "/dev/null" ]);
          test "a SIGTERM to scale" (terminated [ "scale" ] ~code:126);
          test "Unix._exit in a task" (ends "_exit" ~code:6 ~saying:unseen);
          test "another OCaml program" (ends "exec" ~code:8 ~saying:[]);
          test "another program" (ends "exec shell" ~code:7 ~saying:unseen);
          test "another OCaml program, heard" become;
          test "another program, heard" vanish;
          test "another OCaml program, traced" (traced "exec" ~code:8 ~saying:[]);
          test "another program, traced" (traced "exec shell" ~code:7 ~saying:unseen);
        ] );
      ( "advice",
        [
          test "none" (advice quiet []);
          test "minor" (advice { quiet with gc_share = 0.4; minor_share = 0.38 } [ "s=8M" ]);
          test "major" (advice { quiet with gc_share = 0.4 } [ "o=200" ]);
          test "barriers" (advice { quiet with barrier_share = 0.1 } [ "waited for each other" ]);
          test "long task"
            (advice
               { quiet with longest_task = 8.; workers = idle }
               [ "8.00 s"; "On average, 1.00" ]);
          test "short tasks" (advice { quiet with tasks = 10_000_000 } [ "to start it" ]);
          test "small batches"
            (advice
               { quiet with batches = { count = 5000; operations = 5000; largest = 1 } }
               [ "a mutex" ]);
          test "a lock"
            (advice
               { quiet with waits = [ { what = "locks a"; waits = 9; total = 6.; longest = 1. } ] }
               [ "6.00 s (all together) where one locks a" ]);
          test "a promise"
            (advice
               { quiet with waits = [ { what = "awaits a"; waits = 9; total = 6.; longest = 1. } ] }
               []);
          test "cheap iterations"
            (advice
               { quiet with cheap_loops = 4.; cheap_iteration = 8e-9 }
               [ "iterations take 8.00 ns" ]);
          test "faster on one domain"
            (advice
               { quiet with comparison = comparison [| 0.9; 1.8; 0.9 |] }
               [ "DROVER_DOMAINS=1" ]);
          test "another load" (advice { quiet with lack = Taken } [ "other programs" ]);
          test "a load that takes turns"
            (advice
               { quiet with unserved = 3.; longest_task = 9.; workers = idle }
               [ "other programs" ]);
          test "system calls"
            (advice { quiet with lack = Asleep; cpu = 1.6 } [ "for 18.0 s in system calls" ]);
        ] );
      ( "comparison",
        [
          test "of a program that gains" compared;
          test "with another command" compared_with_itself;
          test "with another language" compared_with_no_ocaml;
          test "with a command that fails" compared_with_a_failure;
          test "with no command"
            (fails
               [ "stat"; "--compare=/no/command"; ending; "loops" ]
               ~code:124
               ~saying:[ "/no/command"; "no such program" ]);
          test "as people read it" shown_speed_up;
          test "what may be said" remarks_on_comparisons;
          test "output" unequal_output;
          test "of one that fails"
            (not_compared
               ("exec " ^ subject ^ " 2")
               ~code:3
               ~saying:[ "no comparison"; "exit code 0" ]);
          test "of one that fails on one domain"
            (not_compared
               ("test \"$DROVER_DOMAINS\" = 1 && exit 9; exec " ^ ending ^ " loops")
               ~code:0
               ~saying:[ "domains=1 is out"; "exit code 9" ]);
        ] );
      ("running", [ test "--pid" running; test "--pid of another user" other_user ]);
      ( "mistakes",
        [
          test "no program" (fails [ "stat" ] ~code:127 ~saying:[ "which program" ]);
          test "killed"
            (fails
               [ "stat"; "sh"; "-c"; "kill -9 $$" ]
               ~code:126
               ~saying:[ "wrote no runtime events"; "It was ended by SIGKILL" ]);
          test "no such program" (fails [ "stat"; "./nothing" ] ~code:127 ~saying:[ "./nothing" ]);
          test "not in PATH" (fails [ "stat"; "no-such-name" ] ~code:127 ~saying:[ "PATH" ]);
          test "not executable" (fails [ "stat"; "/dev/null" ] ~code:127 ~saying:[ "executable" ]);
          test "not OCaml" (fails [ "stat"; "true" ] ~code:126 ~saying:[ "not an OCaml 5 program" ]);
          test "no such process"
            (fails [ "stat"; "--pid"; "999999999" ] ~code:126 ~saying:[ "no such process" ]);
          test "a process and a program"
            (fails [ "stat"; "--pid"; "1"; "true" ] ~code:124 ~saying:[ "not both" ]);
          test "a process to compare"
            (fails [ "stat"; "--compare"; "--pid"; "1" ] ~code:124 ~saying:[ "--compare" ]);
          test "no place"
            (fails [ "stat"; "--json"; "/no/f"; "true" ] ~code:126 ~saying:[ "/no/f"; "/no" ]);
        ] );
    ]
