(* Random programs and cases on simulated processors: nothing is lost, and nothing waits for ever, whatever is late and
   wherever a signal's handler raises. And faults that are planted are found. *)

open Drover_schedules

let programs parts : Round.subject = Random_program parts
let case name : Round.subject = Case (List.find (fun (c : Case.t) -> c.name = name) Cases.all)

let round ?domains subject seed : Round.t =
  let domains = Option.value domains ~default:(1 lsl (seed mod 4)) in
  { seed; domains; subject; strikes = Never }

let check failures =
  if failures <> [] then
    Alcotest.fail (String.concat "\n" (List.map Round.failure_to_string failures))

let late () =
  for seed = 1 to 16 do
    check (Round.failures (round (programs Everything) seed))
  done

let struck domains () =
  for seed = 101 to 104 do
    check (Round.failures ~strikes:5 (round ~domains (programs Everything) seed))
  done

let repeatable () =
  let allocations () = (Round.run (round (programs Everything) 7)).allocations in
  Alcotest.(check int) "as often" (allocations ()) (allocations ())

let holds (c : Case.t) () =
  let seeds, strikes = if c.handler = Raises then (4, 2) else (12, 0) in
  for seed = 1 to seeds do
    check (Round.failures ~strikes (round (Case c) seed))
  done

(* Some seed shows it. *)
let finds ?strikes ?domains ?(among = programs Structure) ?(seeds = 40) fault () =
  Drover_machine.World.mutant := fault;
  let shows seed = Round.failures ?strikes (round among ?domains seed) <> [] in
  let found = List.exists shows (List.init seeds (fun i -> i + 1)) in
  Drover_machine.World.mutant := "";
  Alcotest.(check bool) "found" true found

let () =
  let test name f = Alcotest.test_case name `Quick f in
  Alcotest.run "schedules"
    [
      ("programs", [ test "late" late; test "repeatable" repeatable ]);
      ("struck", [ test "one domain" (struck 1); test "four domains" (struck 4) ]);
      ("cases", List.map (fun (c : Case.t) -> test c.name (holds c)) Cases.all);
      ( "planted faults",
        let planted ?strikes ?domains ?among ?seeds fault =
          test fault (finds ?strikes ?domains ?among ?seeds fault)
        in
        [
          planted "no Team.notify";
          planted "split Job.job.state" ~seeds:200;
          planted "a task's end is lost" ~strikes:20 ~domains:1;
          planted "no fence at Deque.bottom" ~among:(case "a burst of tasks") ~seeds:400;
          planted "no fence before a look"
            ~among:(case "a cancelled scope that forks")
            ~domains:1 ~seeds:100;
          planted "a woken task is lost" ~among:(case "a full deque") ~domains:2 ~seeds:200;
        ] );
    ]
