(* Random programs on simulated processors: nothing is lost, and nothing waits for ever, whatever is late and wherever a
   signal's handler raises. And faults that are planted are found. *)

open Drover_schedules

let round ?(parts = Program.Everything) ?domains seed : Round.t =
  let domains = Option.value domains ~default:(1 lsl (seed mod 4)) in
  { seed; domains; parts; strikes = Never }

let check failures =
  if failures <> [] then
    Alcotest.fail (String.concat "\n" (List.map Round.failure_to_string failures))

let late () =
  for seed = 1 to 24 do
    check (Round.failures (round seed))
  done

let struck domains () =
  for seed = 101 to 105 do
    check (Round.failures ~strikes:5 (round ~domains seed))
  done

let repeatable () =
  let allocations () = (Round.run (round 7)).allocations in
  Alcotest.(check int) "as often" (allocations ()) (allocations ())

(* Some seed shows it. *)
let finds ?strikes ?domains fault () =
  Drover_machine.World.mutant := fault;
  let shows seed = Round.failures ?strikes (round ~parts:Structure ?domains seed) <> [] in
  let found = List.exists shows (List.init 40 (fun i -> i + 1)) in
  Drover_machine.World.mutant := "";
  Alcotest.(check bool) "found" true found

let () =
  let test name f = Alcotest.test_case name `Quick f in
  Alcotest.run "schedules"
    [
      ("programs", [ test "late" late; test "repeatable" repeatable ]);
      ("struck", [ test "one domain" (struck 1); test "four domains" (struck 4) ]);
      ( "planted faults",
        let planted ?strikes ?domains fault = test fault (finds ?strikes ?domains fault) in
        [
          planted "no Team.notify";
          planted "split Job.job.state";
          planted "a task's end is lost" ~strikes:20 ~domains:1;
        ] );
    ]
