(* Replays: how long a recording takes on simulated processors, and that all of it is done. *)

open Drover_machine
open Drover_sim_programs
open Drover_sim_replay.Recorded

let work ?(words = 0) ns = Work { ns; words; calls = 0 }

let rec tree ns depth =
  if depth = 0 then [ work ns ] else [ Fork (tree ns (depth - 1), tree ns (depth - 1)) ]

let rec fib ns n =
  work ns :: (if n < 2 then [] else [ Fork (fib ns (n - 1), fib ns (n - 2)); work ns ])

let steps n ns = Steps (n, { ns = n * ns; words = 0; calls = 0 })
let loop = [ Loop [ steps 5_000 1_000; Iteration (tree 2_000 5); steps 50_000 40 ] ]

(* They are awaited in the order in which they started. *)
let tasks n ns =
  List.init n (fun task -> Start (task, [ work ns; Signal (n + task) ]))
  @ List.init n (fun task -> Wait { event = n + task; task = Some task })

(* Stages that hand on what they have done, each to the next one *)
let pipeline stages items =
  let event stage item = stages + (stage * items) + item in
  let step stage item =
    [
      (if stage = 0 then work 1_000 else Wait { event = event (stage - 1) item; task = None });
      work 20_000;
      Signal (event stage item);
    ]
  in
  List.init stages (fun stage -> Start (stage, List.concat (List.init items (step stage))))

let recorded ?(rest = 0) program = { events = 0; piece = 1_000; numbers = 10_000; rest; program }
let all_work r = work_of_items r.program + r.rest

(* Of programs without waits *)
let rec span items = List.fold_left (fun sum i -> sum + span_of_item i) 0 items

and span_of_item = function
  | Work w -> w.ns
  | Fork (left, right) -> Int.max (span left) (span right)
  | Loop runs -> List.fold_left (fun most r -> Int.max most (span_of_run r)) 0 runs
  | Start _ | Signal _ | Wait _ -> invalid_arg "span"

and span_of_run = function Steps (n, w) -> w.ns / n | Iteration items -> span items

let run ?(parallelism = 1.) ?(machine = Model.server) ?(estimate = Fun.id) ?seed workers r :
    Measure.t =
  let model = estimate (machine workers) in
  Measure.run ?seed ~workers model (Drover_sim_replay.Replay.program r ~parallelism)

let elapsed ?parallelism ?machine ?estimate ?seed workers r =
  (run ?parallelism ?machine ?estimate ?seed workers r).elapsed

let is_between name least most x =
  if x < least || x > most then Alcotest.failf "%s: %g is not between %g and %g" name x least most

let programs =
  [
    ("tree", recorded (tree 10_000 9));
    ("fib", recorded (fib 2_000 14));
    ("loop", recorded loop);
    ("tasks", recorded (tasks 500 20_000));
    ("pipeline", recorded (pipeline 8 50));
    ("a rest", recorded ~rest:5_000_000 [ work 1_000_000 ]);
  ]

(* One worker does the work, and little else. *)
let serial () =
  let check (name, r) =
    let m = run 1 r in
    let over = float m.elapsed /. float (all_work r) in
    is_between name 1. 1.04 over;
    is_between (name ^ ", the user's part") 0.999 1.003 (float m.total.busy /. float (all_work r))
  in
  List.iter check programs

(* All workers together do it once, whoever does what. *)
let all_is_done () =
  let check (name, r) =
    List.iter
      (fun workers ->
        let m = run ~parallelism:8. workers r in
        is_between name 0.997 1.003 (float m.total.busy /. float (all_work r)))
      [ 2; 5; 16 ]
  in
  List.iter check programs

let wide () =
  let check name r =
    let speedup = float (elapsed 1 r) /. float (elapsed 16 r) in
    is_between name 13. 16. speedup
  in
  check "a tree" (recorded (tree 50_000 10));
  check "a loop" (recorded [ Loop [ steps 40_000 1_000 ] ]);
  let stages = recorded (pipeline 8 200) in
  is_between "a pipeline" 6. 8. (float (elapsed 1 stages) /. float (elapsed 16 stages))

(* What follows each other takes as long on many. *)
let serial_on_many () =
  let r = recorded [ work 1_000_000; Fork ([ work 5_000_000 ], [ work 5_000_000 ]) ] in
  is_between "two sides" 5.9e6 6.2e6 (float (elapsed 8 r))

(* The [rest] is known to be as parallel as the whole. A fork is found late behind a long one. *)
let the_rest () =
  let r = recorded ~rest:8_000_000 [] in
  is_between "four at a time" 2e6 4e6 (float (elapsed ~parallelism:4. 16 r))

(* No worker collects alone. *)
let collections () =
  let leaf = Work { ns = 100_000; words = 100_000; calls = 0 } in
  let rec tree depth =
    if depth = 0 then [ leaf ] else [ Fork (tree (depth - 1), tree (depth - 1)) ]
  in
  let allocates = run 8 (recorded (tree 8)) in
  Alcotest.(check bool) "there are some" true (allocates.collections > 0);
  Alcotest.(check bool) "they take time" true (allocates.total.collected > 0)

(* A bound is one *)

let bounded () =
  let check machine estimate (name, r) =
    let one = elapsed ~machine ~estimate 1 r in
    let least = Int.max (all_work r / 2) (span r.program) in
    let two = elapsed ~machine ~estimate 2 r in
    Alcotest.(check bool) (name ^ ": no faster than the bound") true (two >= least);
    is_between (name ^ ": the speed-up") 0.5 2. (float one /. float two)
  in
  let plain = List.filter (fun (name, _) -> List.mem name [ "tree"; "fib"; "loop" ]) programs in
  List.iter
    (fun machine ->
      List.iter (fun estimate -> List.iter (check machine estimate) plain) [ Model.low; Model.high ])
    [ Model.virtual_; Model.server ]

(* Programs at random, in which some tasks are awaited *)
let random seed =
  let random = Random.State.make [| seed |] in
  let tasks = ref 0 and awaited = ref [] in
  let below n = Random.State.int random n in
  let rec items depth = List.init (1 + below 4) (fun _ -> item depth)
  and item depth =
    match if depth = 0 then 0 else below 6 with
    | 1 | 2 -> Fork (items (depth - 1), items (depth - 1))
    | 3 -> Loop (List.init (1 + below 3) (fun _ -> run depth))
    | 4 ->
        let task = !tasks in
        incr tasks;
        let body = items (depth - 1) in
        awaited := task :: !awaited;
        Start (task, body @ [ Signal (5_000 + task) ])
    | 5 -> (
        match !awaited with
        | task :: rest ->
            awaited := rest;
            Wait { event = 5_000 + task; task = (if below 2 = 0 then Some task else None) }
        | [] -> work 500)
    | _ -> work ~words:(below 20_000) (below 10_000)
  and run depth =
    if below 2 = 0 then Iteration (items (depth - 1)) else steps (1 + below 200) (below 2_000)
  in
  recorded (items 6)

let at_random () =
  for seed = 1 to 12 do
    let r = random seed in
    List.iter
      (fun workers ->
        let m = run ~seed workers r in
        let name = Printf.sprintf "seed %d, %d workers" seed workers in
        Alcotest.(check bool) name true (m.elapsed * workers >= all_work r * 99 / 100))
      [ 1; 3; 16 ]
  done

let repeatable () =
  let r = random 7 in
  Alcotest.(check int) "the same" (elapsed ~seed:3 16 r) (elapsed ~seed:3 16 r)

(* What the command shows *)

let scalability r : Drover.Scalability.t =
  let work = float (all_work r) *. 1e-9 and span = float (span r.program) *. 1e-9 in
  { work; span; burdened_span = span; measuring = 0.; sites = [] }

let shown () =
  let machine =
    List.find (fun (m : Drover_scale.Machine.t) -> m.name = "virtual") Drover_scale.Machine.all
  in
  let r = recorded (fib 5_000 12) in
  let s = Drover_scale.Simulated.make ~report:ignore machine ~workers:[ 2; 4 ] (scalability r) r in
  Alcotest.(check (list int))
    "workers" [ 2; 4 ]
    (List.map (fun (row : Drover_scale.Simulated.row) -> row.workers) s.rows);
  List.iter
    (fun ({ workers; low; high; shares } : Drover_scale.Simulated.row) ->
      let bound = (Drover.Scalability.predict s.measured ~cores:workers).upper in
      is_between "low" 1. high low;
      is_between "high" low bound high;
      is_between "shares" 0.99 1.01
        (shares.working +. shares.stalled +. shares.collecting +. shares.idle))
    s.rows

let () =
  let test name f = Alcotest.test_case name `Quick f in
  Alcotest.run "replays"
    [
      ( "time",
        [
          test "one worker" serial;
          test "wide programs" wide;
          test "serial programs" serial_on_many;
          test "the rest" the_rest;
          test "collections" collections;
          test "bounds" bounded;
          test "what is shown" shown;
        ] );
      ( "work",
        [ test "all of it" all_is_done; test "at random" at_random; test "repeatable" repeatable ]
      );
    ]
