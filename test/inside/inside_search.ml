(* What thieves demand by a collection, which stops all domains. *)

open Drover_engine
open Test_support

let loop next stop =
  Open_loops.create ~grain:1 ~left:(Atomic.make 1) ~body:(fun ~was_offer:_ _ _ -> ()) next stop

(* What has no iteration that nobody has begun is no work for others. *)
let last_iteration () =
  let team =
    Worker.create_team ~name:"test" ~size:2 ~mask:[] ~adaptive:false ~minor_heap_words:None
  in
  let owner = Worker.create team 0 and thief = Worker.create team 1 in
  team.members <- [| owner; thief |];
  let gives loops =
    owner.loops <- loops;
    Search.lacks_lookout thief
  in
  let offering = loop 0 2 in
  Alcotest.(check bool) "no loop" false (gives []);
  Alcotest.(check bool) "the last iteration" false (gives [ loop 2 2 ]);
  Alcotest.(check bool) "within a loop that has more" true (gives [ loop 2 2; loop 1 2 ]);
  Open_loops.offer_from owner offering 0;
  Alcotest.(check bool) "an offer" true (gives [ offering ]);
  Alcotest.(check bool) "is taken" true (Open_loops.claim_offer thief offering);
  Alcotest.(check bool) "that was taken" false (gives [ offering ])

(* Thieves that have nothing to do while the last iteration goes on stop nobody. *)
let at_the_end () =
  let pool = Drover.Pool.create ~domains:8 ~adaptive:false () and phases = 10 in
  let phase () =
    Drover.parallel_for ~start:0 ~finish:7 (fun i -> Unix.sleepf (if i = 0 then 0.05 else 0.01))
  in
  let collections () = (Gc.quick_stat ()).minor_collections in
  let forced () =
    phase ();
    let before = collections () in
    for _ = 1 to phases do
      phase ()
    done;
    collections () - before
  in
  let n = Drover.Pool.run pool forced in
  Drover.Pool.close pool;
  if n > phases then Alcotest.failf "%d collections in %d phases" n phases

(* Who looks out wakes up often, and so gets in the way of those that work. A task that hides nothing, and whose forks
   were not short, does not need it. *)
let nobody_looks_out_for_long () =
  let pool = Pool.create ~domains:2 ~adaptive:false () in
  let rec is_over tries =
    tries > 0
    && begin
      Unix.sleepf 0.01;
      (not (Atomic.get pool.lookout)) || is_over (tries - 1)
    end
  in
  let body () =
    Promise.await (Pool.async ignore);
    Unix.sleepf 0.01;
    is_over 10
  in
  let has_ended = Pool.run pool body in
  Pool.close pool;
  Alcotest.(check bool) "within a tenth of a second" true has_ended

let () =
  Alcotest.run "inside search"
    [
      ("lookout", [ Watchdog.case "ends" nobody_looks_out_for_long ]);
      ( "demands",
        [ Watchdog.case "a last iteration" last_iteration; Watchdog.case "at the end" at_the_end ]
      );
    ]
