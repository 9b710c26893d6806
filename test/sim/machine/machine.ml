(* The simulated machine: its processors are shared, and a container's quota is kept. *)

open Drover_machine
open Drover_sim_programs

let tree = List.find (fun (p : Program.t) -> p.name = "tree-10us") All.programs
let milliseconds = 200

(* How many processors' worth of work it did *)
let speed ?neighbours ?workers model =
  let sized = tree.of_size milliseconds in
  let m = Measure.run ?neighbours ?workers model sized in
  Alcotest.(check bool) "the result" true m.is_right;
  float sized.work /. float m.elapsed

let is_between name least most x =
  if x < least || x > most then Alcotest.failf "%s: %g is not between %g and %g" name x least most

let with_quota ~quota ~period = { (Model.server 4) with quota = Some (quota, period) }

(* One processor of four: in periods of 20 ms, of which it has 20 ms of processor time. *)
let throttled () =
  let one = with_quota ~quota:20_000_000 ~period:20_000_000 in
  is_between "with four workers" 0.7 1.25 (speed ~workers:4 one);
  is_between "with one worker" 0.8 1.05 (speed ~workers:1 one);
  is_between "without a quota" 3. 4. (speed ~workers:4 (Model.server 4))

let plenty () =
  let all = with_quota ~quota:80_000_000 ~period:20_000_000 in
  is_between "as without" 3. 4. (speed ~workers:4 all)

(* Who shares two processors with two busy processes has a half of them, at least. *)
let shared () =
  is_between "one worker" 0.45 1.05 (speed ~neighbours:2 ~workers:1 (Model.server 2));
  is_between "two workers" 0.6 1.4 (speed ~neighbours:2 ~workers:2 (Model.server 2))

(* Loops of 64 iterations of 100 us, each behind so long a stretch that all workers fall asleep *)
let behind_pauses : Program.sized =
  let pause = 5_000_000 and n = 64 and each = 100_000 and times = 10 in
  let go () =
    for _ = 1 to times do
      Program.busy pause;
      Drover_simulated.Drover.parallel_for ~start:1 ~finish:n (fun _ -> Program.busy each)
    done
  in
  {
    work = times * (pause + (n * each));
    operations = times * n;
    prepare = (fun () -> { go; is_right = (fun () -> true) });
  }

(* A pool of more workers than processors wakes some of them, unless it takes those that have no domain for awake. *)
let wide () =
  let speed () =
    let m = Measure.run ~workers:16 (Model.server 4) behind_pauses in
    float behind_pauses.work /. float m.elapsed
  in
  let right = speed () in
  World.mutant := "members without a domain are awake";
  let wrong = speed () in
  World.mutant := "";
  is_between "faster than with the fault" 1.1 1.8 (right /. wrong)

(* A policy decides what is fast, and not what comes out. *)
let exchanged policy () =
  let run name =
    let p = List.find (fun (p : Program.t) -> p.name = name) All.programs in
    Measure.run (Model.server 4) (p.of_size 1)
  in
  World.mutant := policy;
  Fun.protect
    ~finally:(fun () -> World.mutant := "")
    (fun () ->
      List.iter
        (fun name -> Alcotest.(check bool) name true (run name).is_right)
        [ "fib"; "skewed"; "regions-20us"; "forks-1us"; "outside"; "channel" ])

(* Small forks, one after the other, stay private: to offer each costs several times what it does. *)
let private_ () =
  let small = List.find (fun (p : Program.t) -> p.name = "forks-100ns") All.programs in
  let elapsed () = float (Measure.run (Model.server 4) (small.of_size 2)).elapsed in
  let ours = elapsed () in
  World.mutant := "offers each outermost fork";
  let offered = elapsed () in
  World.mutant := "";
  is_between "faster than if all are offered" 2. 10. (offered /. ours)

let repeatable () =
  let elapsed () = (Measure.run ~seed:5 ~neighbours:3 (Model.server 4) (tree.of_size 5)).elapsed in
  Alcotest.(check int) "the same" (elapsed ()) (elapsed ())

let () =
  let test name f = Alcotest.test_case name `Quick f in
  Alcotest.run "machine"
    [
      ("quota", [ test "is kept" throttled; test "that is enough" plenty ]);
      ("neighbours", [ test "have their share" shared; test "repeatable" repeatable ]);
      ("a wide pool", [ test "wakes others" wide ]);
      ( "policies",
        test "small forks stay private" private_
        :: List.map (fun policy -> test policy (exchanged policy)) Mutants.policies );
    ]
