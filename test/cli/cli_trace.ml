(* drover trace: its files, against the format that the viewers document. *)

open Command
open Programs
open Yojson.Safe.Util

let told files =
  String.concat "" (List.map (fun file -> "drover: the timeline is in " ^ file ^ "\n") files)

let trace domains check =
  temporary ".json" (fun json ->
      temporary ".html" (fun html ->
          let code, _, err =
            call [ "trace"; "-o"; json; "--html"; html; subject; string_of_int domains ]
          in
          Alcotest.(check string) "no complaints" (told [ json; html ]) err;
          Alcotest.(check int) "the program's exit code" 3 code;
          check (Yojson.Safe.from_file json) (read html)))

let text name e = member name e |> to_string
let number name e = member name e |> to_number

(* The fields that the format asks of each kind of event. *)
let check_schema e =
  ignore (member "pid" e |> to_int);
  ignore (member "tid" e |> to_int);
  let has_name () = Alcotest.(check bool) "a name" true (text "name" e <> "") in
  let has_time () = Alcotest.(check bool) "a time" true (number "ts" e >= 0.) in
  has_name ();
  match text "ph" e with
  | "X" ->
      has_time ();
      ignore (text "cat" e);
      Alcotest.(check bool) "a duration" true (number "dur" e >= 0.)
  | "i" ->
      has_time ();
      Alcotest.(check string) "a thread's" "t" (text "s" e)
  | "s" | "f" ->
      has_time ();
      ignore (member "id" e |> to_int)
  | "M" -> ignore (member "args" e |> to_assoc)
  | ph -> Alcotest.failf "an event of kind %S" ph

let events json = member "traceEvents" json |> to_list
let of_kind ph all = List.filter (fun e -> text "ph" e = ph) all
let named name all = List.filter (fun e -> text "name" e = name) all

let of_category category all =
  List.filter (fun e -> member "cat" e = `String category) (of_kind "X" all)

(* Slices of one track and category are one after the other, or one in the other. *)
let rec check_nesting stack = function
  | [] -> ()
  | (start, finish) :: rest ->
      let rec outer = function (_, f) :: stack when f <= start -> outer stack | stack -> stack in
      let stack = outer stack in
      (match stack with
      | (_, f) :: _ when finish > f -> Alcotest.failf "the slice at %d ns overlaps another" start
      | _ -> ());
      check_nesting ((start, finish) :: stack) rest

let schema domains () =
  trace domains (fun json _ ->
      let all = events json in
      List.iter check_schema all;
      let slices = of_kind "X" all in
      Alcotest.(check bool) "tasks" true (of_category "task" all <> []);
      Alcotest.(check bool) "collections" true (named "minor" slices <> []);
      Alcotest.(check bool) "names" true (named "allocate" slices <> []);
      let marks name = List.length (named name (of_kind "i" all)) in
      Alcotest.(check bool) "batches" true (marks "batch" > 0);
      let arrows ph = List.map (fun e -> member "id" e |> to_int) (of_kind ph all) in
      let sorted l = List.sort Int.compare l in
      Alcotest.(check (list int)) "waits end" (sorted (arrows "s")) (sorted (arrows "f"));
      let tracks = List.sort_uniq compare (List.map (fun e -> member "tid" e |> to_int) slices) in
      let titles = named "thread_name" (of_kind "M" all) in
      Alcotest.(check int) "a title for each track" (List.length tracks) (List.length titles);
      let in_track tid =
        List.filter (fun e -> member "tid" e |> to_int = tid) slices
        |> List.map (fun e ->
            let ns name = int_of_float (Float.round (number name e *. 1000.)) in
            (ns "ts", ns "ts" + ns "dur"))
        |> List.sort (fun (a, b) (c, d) -> compare (a, d) (c, b))
      in
      List.iter (fun tid -> check_nesting [] (in_track tid)) tracks)

let page () =
  trace 2 (fun _ html ->
      List.iter (check_contains html)
        [
          "<canvas";
          "prefers-color-scheme";
          "task: Subject.blocks (test/cli/subject.ml:";
          "viewport";
          "id=\"summary\"";
          "stands by";
          "blank:";
        ];
      Alcotest.(check bool)
        "nothing from the network" false
        (contains html "src=" || contains html "href="))

(* A recording by hand *)

module R = Drover_trace.Recording

let recorded events =
  let r = R.create () in
  List.iter (fun (at, event) -> R.listen r ~ring:0 ~at event) events;
  List.map (fun (s : R.slice) -> (R.name r s, s.start, s.finish)) (Dynarray.to_list r.slices)

let batch () =
  temporary ".json" (fun file ->
      let r = R.create () in
      List.iter
        (fun (at, event) -> R.listen r ~ring:0 ~at event)
        [ (1, Task Begin); (41, Batch 2); (50, Task End) ];
      Out_channel.with_open_bin file (fun oc -> Drover_trace.Chrome.write oc ~program:"p" r);
      Alcotest.(check (list string))
        "marks" [ "batch" ]
        (List.map (text "name") (of_kind "i" (events (Yojson.Safe.from_file file)))))

let slices = Alcotest.(list (triple string int int))

let stand_by () =
  Alcotest.check slices "asleep, or standing by"
    [ ("park", 1, 2); ("stand by", 3, 8) ]
    (recorded [ (1, Park Begin); (2, Park End); (3, Stand_by Begin); (8, Stand_by End) ])

(* A task that suspends inside a name leaves it open, and closes it on another ring, or never. *)
let suspended () =
  Alcotest.check slices "the task closes it"
    [ ("n", 2, 5); ("task: n", 1, 5); ("task", 6, 9) ]
    (recorded
       [
         (1, Task Begin);
         (2, Named ("n", Begin));
         (5, Task End);
         (6, Task Begin);
         (8, Named ("n", End));
         (9, Task End);
       ])

(* The name of a task is known after each of its waits, also where another ring tells that it goes on
   before its own ring tells that it waits. *)
let after_waits () =
  let r = R.create () in
  let turn ring at (events : Drover_watch.Event.t list) =
    List.iter
      (fun event -> R.listen r ~ring ~at event)
      ((Drover_watch.Event.Task Begin :: events) @ [ Task End ])
  in
  turn 1 30 [ Resume 8; Suspend 9 ];
  turn 0 10 [ Named ("n", Begin); Suspend 7 ];
  turn 0 20 [ Resume 7; Named ("m", Begin); Suspend 8 ];
  turn 0 40 [ Resume 9 ];
  turn 0 50 [ Resume 99; Named ("other", Begin) ];
  let names = Dynarray.to_list r.slices |> List.filter (fun (s : R.slice) -> s.kind = Task) in
  Alcotest.(check (list (pair int string)))
    "names"
    [ (10, "task: n"); (20, "task: n"); (30, "task: n"); (40, "task: n"); (50, "task: other") ]
    (List.sort compare (List.map (fun (s : R.slice) -> (s.start, R.name r s)) names))

(* Where a task was started is told when it begins, and known after its waits. What begins on top of it was started
   elsewhere. *)
let sites () =
  let r = R.create () in
  let turn ring at (events : Drover_watch.Event.t list) =
    List.iter
      (fun event -> R.listen r ~ring ~at event)
      ((Drover_watch.Event.Task Begin :: events) @ [ Task End ])
  in
  turn 1 30 [ Resume 8 ];
  turn 0 10 [ Site "here"; Site "there"; Suspend 7 ];
  turn 0 20 [ Resume 7; Named ("n", Begin); Suspend 8 ];
  turn 0 40 [ Site ""; Site "there" ];
  turn 0 50 [];
  let tasks = Dynarray.to_list r.slices |> List.filter (fun (s : R.slice) -> s.kind = Task) in
  Alcotest.(check (list (triple int string (option string))))
    "sites"
    [
      (10, "task: here", Some "here");
      (20, "task: n", Some "here");
      (30, "task: n", Some "here");
      (40, "task", None);
      (50, "task", None);
    ]
    (List.sort compare (List.map (fun (s : R.slice) -> (s.start, R.name r s, R.site r s)) tasks));
  let page = Drover_trace.Page.to_html ~program:"p" r in
  check_contains page "task: n, started at here"

(* A mark says for what a task waits, where that was told. *)
let waits () =
  let r = R.create () in
  List.iter
    (fun (at, event) -> R.listen r ~ring:0 ~at event)
    [
      (1, Task Begin);
      (2, Wait "locks the ledger");
      (2, Suspend 1);
      (3, Task End);
      (4, Task Begin);
      (5, Suspend 2);
      (6, Task End);
    ];
  check_contains
    (Drover_trace.Page.to_html ~program:"p" r)
    {|"marks":[[0,"locks the ledger",1],[0,"suspend",4]]|}

let sites_of_a_program () =
  let heard = Hashtbl.create 10 in
  let listen ~ring:_ ~at:_ (event : Drover_watch.Event.t) =
    match event with Site site -> Hashtbl.replace heard site () | _ -> ()
  in
  let program = Result.get_ok (Drover_watch.Program.make [ ending; "meetings" ]) in
  let bindings = [ "DROVER_SITES=1" ] in
  let outcome = Result.get_ok (Drover_watch.Watch.run ~bindings program ~on_lost:ignore listen) in
  Alcotest.(check int) "exit code" 0 (Drover_watch.Watch.exit_code outcome);
  let has part =
    Hashtbl.fold (fun site () is_there -> is_there || contains site part) heard false
  in
  let is_heard text = Alcotest.(check bool) (text ^ " is heard") true (has text) in
  List.iter is_heard [ "Ending.meetings"; "(test/cli/ending.ml:"; "a fork in Ending" ]

let processors () =
  let r = R.create () in
  List.iter
    (fun (at, event) -> R.listen r ~ring:0 ~at event)
    [ (1, Task Begin); (40, Unserved 30); (90, Unserved 20); (100, Task End) ];
  check_contains (Drover_trace.Page.to_html ~program:"p" r) {|"unserved":[[0,39,30],[39,89,20]]|}

let unended () =
  Alcotest.check slices "what was open ends then"
    [ ("task", 1, 4); ("minor", 3_000, 9_000); ("task", 5, 10_000) ]
    (recorded
       [
         (1, Task Begin);
         (4, Task End);
         (5, Task Begin);
         (3_000, Begin EV_MINOR);
         (9_000, End EV_MINOR);
         (10_000, Program_ends);
       ])

let short_phases () =
  Alcotest.check slices "too short to see" []
    (recorded [ (1, Begin EV_MAJOR_SLICE); (100, End EV_MAJOR_SLICE) ])

(* Two ranks, as a launcher would start them: a file each, and one of both. *)
let ranks () =
  temporary "" (fun base ->
      let of_rank rank = Printf.sprintf "%s.%d.json" base rank in
      let trace rank =
        let variable = Printf.sprintf "OMPI_COMM_WORLD_RANK=%d" rank in
        let environment = Array.append [| variable |] (Unix.environment ()) in
        let code, _, err = call ~environment [ "trace"; "-o"; base ^ ".json"; subject; "1" ] in
        Alcotest.(check string) "no complaints" (told [ of_rank rank ]) err;
        Alcotest.(check int) "the program's exit code" 3 code
      in
      List.iter trace [ 0; 1 ];
      let code, _, err = call [ "merge"; "-o"; base; of_rank 0; of_rank 1 ] in
      Alcotest.(check string) "no complaints" "" err;
      Alcotest.(check int) "exit code" 0 code;
      let all = events (Yojson.Safe.from_file base) in
      let groups = named "process_name" all in
      let title e = member "args" e |> text "name" in
      Alcotest.(check (list string)) "a group a rank" [ "rank 0"; "rank 1" ] (List.map title groups);
      let is_of rank e = to_int (member "pid" e) = rank + 1 in
      let times rank = List.map (number "ts") (List.filter (is_of rank) (of_kind "X" all)) in
      let first rank = List.fold_left Float.min infinity (times rank) in
      Alcotest.(check bool) "the second began later" true (first 1 > first 0);
      let merged = read base in
      let code, _, _ = call [ "merge"; "-o"; base; of_rank 0; "/no/part" ] in
      Alcotest.(check int) "no such part" 126 code;
      Alcotest.(check bool) "the file stays" true (merged = read base);
      let code, _, err = call [ "merge"; "-o"; of_rank 0; of_rank 0; of_rank 1 ] in
      Alcotest.(check int) ("into one of the parts: " ^ err) 0 code;
      Alcotest.(check bool) "the same" true (merged = read (of_rank 0));
      List.iter (fun rank -> Sys.remove (of_rank rank)) [ 0; 1 ])

let test name f = Alcotest.test_case name `Quick f

let () =
  Alcotest.run "cli trace"
    [
      ( "files",
        [
          test "one domain" (schema 1);
          test "two domains" (schema 2);
          test "a page" page;
          test "of two ranks" ranks;
        ] );
      ( "recording",
        [
          test "a batch" batch;
          test "standing by" stand_by;
          test "a name in a task that waits" suspended;
          test "a name after waits" after_waits;
          test "where tasks were started" sites;
          test "for what they wait" waits;
          test "where those of a program were" sites_of_a_program;
          test "waits for processors" processors;
          test "a program that is killed" unended;
          test "short phases" short_phases;
        ] );
      ( "mistakes",
        [
          test "no room"
            (fails
               [ "trace"; "-o"; "/dev/full"; subject; "1" ]
               ~code:126 ~saying:[ "/dev/full: No space" ]);
          test "no file" (fails [ "trace"; "true" ] ~code:124 ~saying:[ "-o FILE" ]);
          test "no place" (fails [ "trace"; "-o"; "/no/f"; "true" ] ~code:126 ~saying:[ "/no/f" ]);
          test "no timeline of a rank"
            (fails
               [ "merge"; "-o"; "/dev/null"; "/dev/null" ]
               ~code:126
               ~saying:[ "/dev/null: it is no timeline of a rank" ]);
          test "no program"
            (fails [ "trace"; "-o"; "x.json" ] ~code:127 ~saying:[ "which program" ]);
        ] );
    ]
