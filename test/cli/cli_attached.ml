(* stat --pid and trace --pid of programs that are in a long loop, that wait, or that have said nothing for long. *)

open Command
open Yojson.Safe.Util
module Watch = Drover_watch

(* What hears a ring *)

let follow ~start before later =
  let all = ref [] in
  let listen ~ring ~at event = all := (ring, at, event) :: !all in
  let t = Watch.Whereabouts.create ~start listen in
  let read (listen : Watch.Event.listener) ~lost =
    let step = function
      | `Lost ring -> lost ~ring 100
      | `Heard (ring, at, event) -> listen ~ring ~at event
    in
    List.iter step before
  in
  Watch.Whereabouts.recall t read;
  let step = function
    | `Lost ring -> Watch.Whereabouts.lose t ~ring
    | `Heard (ring, at, event) -> Watch.Whereabouts.hear t ~ring ~at event
  in
  List.iter step later;
  (t, List.rev !all)

let heard ~start before later = snd (follow ~start before later)

let at ring at event : [ `Lost of int | `Heard of int * int * Watch.Event.t ] =
  `Heard (ring, at, event)

let check what expected found = Alcotest.(check bool) what true (expected = found)
let standing ring worker state : Watch.Event.t = Standing { ring; worker; state }

(* A domain that has written nothing since stands where it stood. *)
let remembered () =
  let before =
    [
      at 0 10 (Pool_open 2);
      at 0 11 (Worker (Some 0));
      at 0 12 (Task Begin);
      at 0 13 (Task End);
      at 0 14 (Task Begin);
      at 0 15 (Named ("a", Begin));
      at 1 11 (Worker (Some 1));
      at 1 12 (Task Begin);
      at 1 13 (Task End);
      at 1 14 (Park Begin);
      at 1 101 (Park End);
      at 2 11 (Begin EV_MINOR);
    ]
  in
  check "only what it has led to, and what follows"
    [
      (0, 100, Watch.Event.Pool_open 2);
      (0, 100, Worker (Some 0));
      (0, 100, Task Begin);
      (0, 100, Named ("a", Begin));
      (1, 100, Worker (Some 1));
      (1, 100, Park Begin);
      (1, 101, Park End);
      (0, 102, Task End);
    ]
    (heard ~start:100 before [ at 0 102 (Task End) ])

(* Of one that collections have overwritten nothing is said, until it or another speaks. *)
let unknown () =
  let before = [ `Lost 0; at 0 10 (Begin EV_MINOR); `Lost 1; at 1 10 (Begin EV_MINOR) ] in
  check "until they are known"
    [
      (0, 100, Watch.Event.Unknown Begin);
      (1, 100, Unknown Begin);
      (0, 105, Begin EV_MINOR);
      (0, 106, Unserved 5);
      (0, 110, Unknown End);
      (0, 110, Task End);
      (1, 120, Unknown End);
      (1, 120, Worker (Some 7));
      (1, 120, Task Begin);
    ]
    (heard ~start:100 before
       [
         at 0 105 (Begin EV_MINOR);
         at 0 106 (Unserved 5);
         at 0 110 (Task End);
         at 0 120 (standing 0 3 Parked);
         at 0 120 (standing 1 7 In_task);
       ])

(* What another has said of them before is as good; who is not named is no worker. *)
let said () =
  let before =
    [
      `Lost 0;
      at 0 50 (standing 0 0 In_task);
      at 0 50 (standing 1 1 Parked);
      `Lost 1;
      `Lost 2;
      at 2 51 (Begin EV_MINOR);
    ]
  in
  check "where all stand"
    [
      (0, 100, Watch.Event.Worker (Some 0));
      (0, 100, Task Begin);
      (1, 100, Worker (Some 1));
      (1, 100, Park Begin);
    ]
    (heard ~start:100 before [])

let lost () =
  let before = [ at 0 10 (Worker (Some 0)); at 0 11 (Task Begin) ] in
  check "unknown again"
    [
      (0, 100, Watch.Event.Worker (Some 0));
      (0, 100, Task Begin);
      (0, 107, Begin EV_MINOR);
      (1, 120, Active 1);
      (0, 107, Unknown Begin);
      (0, 130, Unknown End);
      (0, 130, Worker (Some 0));
    ]
    (heard ~start:100 before
       [ at 0 107 (Begin EV_MINOR); at 1 120 (Active 1); `Lost 0; at 0 130 (standing 0 0 Neither) ])

(* Where they stand in the end, and since when. *)

let stands what t ring place since ~is_exact =
  check what { Watch.Whereabouts.ring; place; since; is_exact } (Watch.Whereabouts.standing t ring)

let now () =
  let before =
    [
      at 0 10 (Pool_open 2);
      at 0 11 (Worker (Some 0));
      at 0 12 (Task Begin);
      at 0 13 (Named ("a", Begin));
      at 1 11 (Worker (Some 1));
      at 1 14 (Park Begin);
      `Lost 2;
      at 2 15 (Begin EV_MINOR);
    ]
  in
  let after events = fst (follow ~start:100 before events) in
  let t = after [] in
  stands "named" t 0 (In_task (Some "a")) (Some 12) ~is_exact:true;
  stands "parked" t 1 Parked (Some 14) ~is_exact:true;
  stands "lost" t 2 Unknown None ~is_exact:false;
  let t =
    after
      [
        at 0 120 (Suspend 7);
        at 0 120 (Task End);
        at 1 130 (Park End);
        at 1 131 (Task Begin);
        at 1 131 (Resume 7);
        at 0 140 (standing 2 2 In_task);
      ]
  in
  stands "it waits" t 0 Searches None ~is_exact:true;
  stands "it goes on elsewhere" t 1 (In_task (Some "a")) (Some 131) ~is_exact:true;
  stands "others say so" t 2 (In_task None) (Some 140) ~is_exact:false;
  let t = after [ at 1 130 (Park End); at 0 131 (Active 1); at 0 132 (Task End); `Lost 1 ] in
  stands "its name is over" t 0 Searches None ~is_exact:true;
  stands "lost again" t 1 Unknown None ~is_exact:false;
  stands "it is not to work" (after [ at 0 131 (Active 1) ]) 1 Stands_by None ~is_exact:true

(* What begins to listen later hears the same as who begins to watch then. *)
let restated () =
  let before = [ at 0 10 (Pool_open 1); at 0 11 (Worker (Some 0)); at 0 12 (Task Begin) ] in
  let t, _ = follow ~start:100 before [ at 0 120 (Named ("a", Begin)) ] in
  let all = ref [] in
  Watch.Whereabouts.restate t ~at:200 (fun ~ring ~at event -> all := (ring, at, event) :: !all);
  check "from then on"
    [
      (0, 200, Watch.Event.Pool_open 1);
      (0, 200, Worker (Some 0));
      (0, 200, Task Begin);
      (0, 200, Named ("a", Begin));
    ]
    (List.rev !all)

(* Programs that run *)

let stat ?(seconds = "1") pid =
  temporary ".json" (fun file ->
      let code, _, err =
        call [ "stat"; "--json"; file; "--pid"; string_of_int pid; "--seconds"; seconds ]
      in
      Alcotest.(check int) ("exit code: " ^ err) 0 code;
      let says_no word = Alcotest.(check bool) ("no " ^ word) false (contains err word) in
      List.iter says_no [ "nan"; "inf" ];
      (Yojson.Safe.from_file file, err))

let float name figures = member name figures |> to_float

let is_within what (least, most) found =
  if not (found >= least && found <= most) then Alcotest.failf "%s: %g" what found

let domains figures name = List.map (float name) (member "domains" figures |> to_list)
let mostly = (0.9, 1.01)
let hardly = (0., 0.1)

let computes () =
  Running.program "computes" (fun { pid; _ } ->
      let figures, err = stat pid in
      Alcotest.(check int) "workers" 2 (member "workers" figures |> to_int);
      List.iter (is_within "in tasks" mostly) (domains figures "in_tasks");
      Alcotest.(check int) "tasks under way" 2 (member "tasks" figures |> to_int);
      is_within "unknown" (0., 0.) (float "unknown_share" figures);
      Alcotest.(check bool) "nothing serial" false (contains err "drover scale"))

let computes_alone () =
  Running.program "computes alone" (fun { pid; _ } ->
      let figures, _ = stat pid in
      match List.sort compare (domains figures "in_tasks") with
      | [ idle; busy ] ->
          is_within "one" mostly busy;
          is_within "the other" hardly idle
      | _ -> Alcotest.fail "not two domains")

let waits () =
  Running.program "waits" (fun { pid; _ } ->
      let figures, err = stat pid in
      List.iter (is_within "in tasks" hardly) (domains figures "in_tasks");
      is_within "waiting for processors" (0., 0.1) (float "unserved_seconds" figures);
      check_contains err "The program slept";
      List.iter
        (fun word -> Alcotest.(check bool) word false (contains err word))
        [ "other programs: repeat"; "drover scale" ])

(* What it has told first is overwritten in a moment, but once a second it says where it is. *)
let collects () =
  Running.program ~parameters:"e=14" "collects" (fun { pid; _ } ->
      let rec attempts n =
        let figures, err = stat ~seconds:"3" pid in
        let domains = member "domains" figures |> to_list in
        if List.for_all (fun domain -> member "in_tasks" domain <> `Null) domains then
          is_within "workers in tasks" (1.8, 2.02) (float "parallelism" figures)
        else if n > 0 then attempts (n - 1)
        else Alcotest.failf "unknown: %s" err
      in
      attempts 10)

(* As long as anybody listens there is a page without holes. *)
let traced () =
  Running.program "computes" (fun { pid; _ } ->
      temporary ".json" (fun json ->
          temporary ".html" (fun html ->
              let code, _, err =
                call
                  [
                    "trace";
                    "-o";
                    json;
                    "--html";
                    html;
                    "--pid";
                    string_of_int pid;
                    "--seconds";
                    "0.5";
                  ]
              in
              Alcotest.(check int) ("exit code: " ^ err) 0 code;
              let events = Yojson.Safe.from_file json |> member "traceEvents" |> to_list in
              let is_task e = member "cat" e = `String "task" in
              let long e = float "dur" e > 400_000. in
              Alcotest.(check int)
                "two long tasks" 2
                (List.length (List.filter long (List.filter is_task events)));
              check_contains (read html) {|"worker":true|})))

let moment () =
  Running.program "computes" (fun { pid; _ } ->
      ignore (stat ~seconds:"0" pid : Yojson.Safe.t * string))

let test name f = Alcotest.test_case name `Quick f

let () =
  Alcotest.run "cli attached"
    [
      ( "rings",
        [
          test "remember" remembered;
          test "forget" unknown;
          test "are told by others" said;
          test "are lost" lost;
          test "stand somewhere now" now;
          test "are told again" restated;
        ] );
      ( "a program that",
        [
          test "computes" computes;
          test "computes on one worker" computes_alone;
          test "waits" waits;
          test "collects" collects;
          test "computes, traced" traced;
          test "computes, for a moment" moment;
        ] );
    ]
