(* drover stat: its figures against what the program itself counted, and its errors. *)

open Command
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
  (* Each event is of whole nanoseconds. *)
  let same_time name what =
    let heard = 1e9 *. float name figures and summed = Float.of_int (known what) in
    Alcotest.(check (float (Float.of_int (1 + known "batches")))) name summed heard
  in
  same_time "batch_seconds" "running";
  same_time "batch_wait_seconds" "waiting";
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

(* Figures and their advice, without a program. *)

let quiet : Drover_stat.Figures.t =
  {
    seconds = 10.;
    cpu = 20.;
    workers =
      List.init 2 (fun i ->
          {
            Drover_stat.Figures.name = string_of_int i;
            in_tasks = 0.98;
            collecting = 0.01;
            parked = 0.;
            tasks = 10;
            steals = 1;
          });
    size = 2;
    tasks = 20;
    resumed = 0;
    steals = 2;
    parks = 0;
    longest_task = 1.;
    batches = { count = 0; operations = 0; largest = 0; running = 0.; waiting = 0. };
    minor_collections = 10;
    major_collections = 1;
    gc_share = 0.01;
    minor_share = 0.005;
    barrier_share = 0.;
    pauses = [| 0.001 |];
    lost = 0;
    uses_drover = true;
  }

let advice (figures : Drover_stat.Figures.t) expected () =
  let found = Drover_stat.Advice.about figures in
  Alcotest.(check int) "how much" (List.length expected) (List.length found);
  List.iter2 (fun part text -> check_contains text part) expected found

let idle =
  List.map (fun (w : Drover_stat.Figures.worker) -> { w with in_tasks = 0.5 }) quiet.workers

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
          test "where a program starts" mark;
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
               [ "8.00 s"; "On average 1.02" ]);
          test "short tasks" (advice { quiet with tasks = 10_000_000 } [ "hand it over" ]);
          test "small batches"
            (advice
               {
                 quiet with
                 batches =
                   { count = 5000; operations = 5000; largest = 1; running = 0.; waiting = 0. };
               }
               [ "a mutex" ]);
          test "another load" (advice { quiet with cpu = 10. } [ "other programs" ]);
        ] );
      ( "mistakes",
        [
          test "no program" (fails [ "stat" ] ~code:127 ~saying:[ "which program" ]);
          test "killed"
            (fails
               [ "stat"; "sh"; "-c"; "kill -9 $$" ]
               ~code:126
               ~saying:[ "wrote no runtime events"; "Signal 9" ]);
          test "no such program" (fails [ "stat"; "./nothing" ] ~code:127 ~saying:[ "./nothing" ]);
          test "not in PATH" (fails [ "stat"; "no-such-name" ] ~code:127 ~saying:[ "PATH" ]);
          test "not executable" (fails [ "stat"; "/dev/null" ] ~code:127 ~saying:[ "executable" ]);
          test "not OCaml" (fails [ "stat"; "true" ] ~code:126 ~saying:[ "not an OCaml 5 program" ]);
          test "no place"
            (fails [ "stat"; "--json"; "/no/f"; "true" ] ~code:126 ~saying:[ "/no/f"; "/no" ]);
        ] );
    ]
