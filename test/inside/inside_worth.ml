(* What help with regions is worth, by what an owner tells of those of late. *)

open Drover_engine

let team = Worker.create_team ~name:"test" ~size:2 ~mask:[] ~adaptive:false ~minor_heap_words:None

let owner () =
  let w = Worker.create team 0 in
  team.members <- [| w; Worker.create team 1 |];
  w

let no_time = 0.
and long = 1.

let do_regions w n seconds =
  for _ = 1 to n do
    Worth.end_loop w seconds
  done

(* After one that was not tiny the next fork is offered again. *)
let tiny () =
  let w = owner () in
  Alcotest.(check int) "before" 0 (Worth.credit w ~others_sleep:false);
  let rec more n credit =
    if n <= 20 then begin
      do_regions w 1 no_time;
      let next = Worth.credit w ~others_sleep:false in
      Alcotest.(check bool) "at most twice as many" true (credit <= next && next <= (2 * credit) + 1);
      Alcotest.(check bool) "a sample is offered" true (next < 2000);
      more (n + 1) next
    end
  in
  more 1 0;
  Alcotest.(check bool) "most stay private" true (Worth.credit w ~others_sleep:false > 500);
  do_regions w 1 long;
  Alcotest.(check int) "after a long one" 0 (Worth.credit w ~others_sleep:false)

let short () =
  let w = owner () in
  Alcotest.(check bool) "at first" true (Worth.deserves_wake_up w);
  do_regions w 1 no_time;
  Alcotest.(check bool) "one does not tell" true (Worth.deserves_wake_up w);
  do_regions w 20 no_time;
  Alcotest.(check bool) "nobody is on the lookout" true (Worth.deserves_wake_up w);
  Atomic.set team.lookout true;
  Alcotest.(check bool) "one is" false (Worth.deserves_wake_up w);
  do_regions w 1 long;
  Alcotest.(check bool) "a long one" true (Worth.deserves_wake_up w);
  Atomic.set team.lookout false

(* An owner that gave a part of its loop and then only waited for it was better alone. *)
let shared () =
  let w = owner () and pause () = Unix.sleepf 0.002 in
  Worth.show w;
  let since = System.now () in
  pause ();
  Worth.end_shared_loop w ~since;
  Alcotest.(check bool) "waited" true (Worth.credit w ~others_sleep:false > 0);
  Worth.show w;
  pause ();
  Worth.end_shared_loop w ~since:(System.now ());
  Alcotest.(check int) "worked, too" 0 (Worth.credit w ~others_sleep:false)

(* Who was woken where regions come soon after each other waits for the next one, and no longer. *)
let period () =
  let w = owner () in
  Worth.begin_region w 0.;
  Worth.begin_region w 1e-3;
  let half = 1.5 *. team.help.cost in
  do_regions w 20 (2. *. half);
  Atomic.set team.lookout true;
  Alcotest.(check bool) "soon after each other" true (Worth.deserves_wake_up w);
  Worth.begin_region w 10.;
  do_regions w 20 (2. *. half);
  Alcotest.(check bool) "one now and then" false (Worth.deserves_wake_up w);
  Atomic.set team.lookout false

(* A timer that is not due yet is looked at now and then. *)
let beside_a_timer () =
  let looks () =
    let w = Worker.here () in
    let before = w.points in
    Drover.parallel_for ~start:1 ~finish:1_000_000 (fun _ -> Sys.opaque_identity ());
    w.points - before
  in
  Drover.run ~domains:1 (fun () ->
      let timer = Poller.after 3600. ignore in
      let looks = looks () in
      Timers.cancel timer;
      if looks > 100_000 then Alcotest.failf "%d looks in a million iterations" looks)

let () =
  let case name f = Alcotest.test_case name `Quick f in
  Alcotest.run "inside worth"
    [
      ( "regions",
        [
          case "tiny" tiny; case "short" short; case "shared" shared; case "after each other" period;
        ] );
      ("loops", [ case "beside a timer" beside_a_timer ]);
    ]
