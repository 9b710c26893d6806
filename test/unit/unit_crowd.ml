(* How many workers are active, on machines whose load is told: by the outcome of each window. *)

open Drover_engine

(* Processors that work for a pool with so many active workers, and workers that wait. *)
type machine = int -> Worker.window

let load ?(spun = 0.) ran waiting = { Worker.ran; spun; waiting }
let quiet active = load (float active) 0.

(* A serial program, or one that waits for the network. *)
let serial (_ : int) = load 0.9 0.02 ~spun:0.5

(* Beside another program on two processors: of loops that are short, or long. *)
let short_loops active = if active = 1 then load 0.98 0.02 else load 0.6 0.9 ~spun:0.3
let long_loops active = if active = 1 then load 0.98 0.02 else load 1.3 0.7

(* Four workers on two processors that nobody else wants. *)
let oversubscribed active = load (2. -. (0.1 *. float (active - 2))) (float (active - 2))

type run = {
  crowd : Crowd.t;
  now : float;
  windows : int list; (* how many were active, latest first *)
}

let start members = { crowd = Crowd.create ~processors:2 members; now = 1000.; windows = [] }

let rec play (machine : machine) seconds r =
  if seconds <= 0. then r
  else
    let now = r.now +. Crowd.window and active = Crowd.active r.crowd in
    let crowd = Crowd.step r.crowd ~now (machine active) in
    play machine (seconds -. Crowd.window) { crowd; now; windows = active :: r.windows }

let share n r =
  float (List.length (List.filter (( = ) n) r.windows)) /. float (List.length r.windows)

let check_share what n ~least r =
  let share = share n r in
  if share < least then Alcotest.failf "%s: %d active for %.2f of the time" what n share

let all_work machine () = check_share "all work" 2 ~least:1. (play machine 5. (start 2))

let fewer_work () =
  let r = play short_loops 5. (start 2) in
  check_share "fewer work" 1 ~least:0.95 r;
  check_share "at once" 1 ~least:0.8 (play short_loops 0.1 (start 2))

let worth_it () = check_share "all work" 2 ~least:0.9 (play long_loops 5. (start 2))

let comes_back () =
  let r = play short_loops 5. (start 2) in
  let quiet_again = play quiet 4. { r with windows = [] } in
  check_share "all work again" 2 ~least:0.5 quiet_again;
  Alcotest.(check int) "at last" 2 (Crowd.active quiet_again.crowd)

let no_more_than_processors () =
  let active processors members = Crowd.active (Crowd.create ~processors members) in
  Alcotest.(check (list int)) "active" [ 2; 8; 1 ] [ active 2 8; active 16 8; active 1 8 ]

(* They wait for each other at collections, where they do so for one that stands by, too. *)
let collecting active = if active = 1 then load 0.6 0.3 else load 0.7 0.9
let at_collections () = check_share "all work" 2 ~least:1. (play collecting 5. (start 2))

(* Who works waits for those that stand by. *)
let blocked active = if active = 1 then load 0. 0. else short_loops active
let not_blocked () = check_share "all work" 2 ~least:0.3 (play blocked 5. (start 2))
let as_many_as_run () = check_share "two work" 2 ~least:0.9 (play oversubscribed 5. (start 4))

(* Whatever the load is told to be. *)
let at_least_one =
  let open QCheck2 in
  let load =
    Gen.map3
      (fun ran spun waiting -> load ran waiting ~spun)
      (Gen.float_range 0. 70.) (Gen.float_range 0. 70.) (Gen.float_range 0. 70.)
  in
  let play members loads =
    let windows = ref 1000. in
    let step crowd load =
      windows := !windows +. Crowd.window;
      let crowd = Crowd.step crowd ~now:!windows load in
      let active = Crowd.active crowd in
      if active < 1 || active > Int.min 2 members then Test.fail_reportf "%d of %d" active members;
      crowd
    in
    ignore (List.fold_left step (start members).crowd loads : Crowd.t);
    true
  in
  Test.make ~name:"at least one, and at most all" ~count:1000
    Gen.(pair (int_range 2 64) (list_size (int_range 1 200) load))
    (fun (members, loads) -> play members loads)

(* Where the system tells. *)
let time_grows () =
  match Processors.time_file () with
  | None -> Alcotest.(check bool) "only Linux does" false (Sys.file_exists "/proc/self/schedstat")
  | Some place ->
      let ran () =
        Option.fold ~none:0. ~some:(fun t -> t.Processors.ran) (Processors.read_time place)
      in
      let before = ran () in
      while ran () < before +. 0.005 do
        ignore (Sys.opaque_identity (ref 0))
      done

let time_of_nobody () =
  let nobody = Processors.read_time "/proc/0/task/0/schedstat" in
  Alcotest.(check bool) "none" true (Option.is_none nobody)

(* Minor heaps, beside others and not *)

let grows ~late ~survival =
  let in_a_domain () =
    let before = Minor_heap.size () in
    let has_grown = Minor_heap.adapt ~most:(8 * before) ~spent:1. ~late ~survival in
    Alcotest.(check bool) "larger" has_grown (Minor_heap.size () > before);
    has_grown
  in
  Domain.join (Domain.spawn in_a_domain)

let heaps_grow () =
  let check what expected ~late ~survival =
    (* Not where address space is limited. *)
    let expected = expected && grows ~late:0. ~survival:0.1 in
    Alcotest.(check bool) what expected (grows ~late ~survival)
  in
  check "little survives" true ~late:0. ~survival:0.1;
  check "most survives" false ~late:0. ~survival:0.9;
  check "most survives, and others delay collections" true ~late:0.004 ~survival:0.9

let heaps_are_bounded () =
  let check domains =
    let most = Minor_heap.most ~domains in
    if most > 8 lsl 20 || (domains <= 64 && domains * most > (64 lsl 20) + (8 lsl 20)) then
      Alcotest.failf "%d domains: %d words each" domains most
  in
  List.iter check [ 1; 2; 3; 8; 9; 15; 16; 24; 64; 128 ]

let () =
  let open Alcotest in
  run "unit crowd"
    [
      ( "with nobody else",
        [
          test_case "all work" `Quick (all_work quiet);
          test_case "a serial program" `Quick (all_work serial);
        ] );
      ( "a thread's time",
        [
          Test_support.Watchdog.case "grows" time_grows;
          Test_support.Watchdog.case "of one that has ended" time_of_nobody;
        ] );
      ( "minor heaps",
        [ test_case "grow" `Quick heaps_grow; test_case "are bounded" `Quick heaps_are_bounded ] );
      ( "beside others",
        [
          test_case "fewer work" `Quick fewer_work;
          test_case "all, where that is worth it" `Quick worth_it;
          test_case "all again, when the others have gone" `Quick comes_back;
          test_case "no more than processors" `Quick no_more_than_processors;
          test_case "all, where they wait at collections" `Quick at_collections;
          test_case "nobody waits for who stands by" `Quick not_blocked;
          test_case "as many as run" `Quick as_many_as_run;
          test_case "at least one works" `Quick (fun () -> QCheck2.Test.check_exn at_least_one);
        ] );
    ]
