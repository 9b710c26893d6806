(* How many workers are active, on machines whose load is told, by the outcome of each window; and whoever stands by
   leaves nothing undone, whenever it is told to and whenever it comes back. *)

open Phases

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

(* Pools *)

let only_one (pool : Worker.team) = pool.active <- 1
let all (pool : Worker.team) = pool.active <- max_int

let sum n =
  let body i =
    ignore (Sys.opaque_identity (ref i));
    i
  in
  Drover.parallel_reduce ~start:1 ~finish:n ~init:0 ~combine:( + ) body

let program () =
  forks_and_promises ();
  Alcotest.(check int) "sum" 50_005_000 (sum 10_000)

let alone pool =
  only_one pool;
  for _ = 1 to 20 do
    Pool.run pool program
  done

(* Others come and go while the program runs. *)
let coming_and_going pool =
  let phases =
    [ ((fun () -> only_one pool), fun () -> 0.0007); ((fun () -> all pool), fun () -> 0.0003) ]
  in
  while_changing phases (fun () ->
      for _ = 1 to 100 do
        Pool.run pool program
      done)

(* A task that waits without the scheduler's knowing. *)
let waited_for pool =
  only_one pool;
  Pool.run pool (fun () ->
      for _ = 1 to 5 do
        let flag = Atomic.make false in
        ignore (Pool.async (fun () -> Atomic.set flag true) : unit Promise.t);
        while not (Atomic.get flag) do
          Domain.cpu_relax ()
        done
      done)

(* The same in what a worker hides: a fork, or an iteration; also where all the others were asleep. *)
let hidden_and_waited_for (pool : Worker.team) =
  let wait flag =
    while not (Atomic.get flag) do
      Domain.cpu_relax ()
    done
  in
  let by_a_fork flag =
    ignore (Fork_join.both (fun () -> wait flag) (fun () -> Atomic.set flag true) : unit * unit)
  and by_a_loop flag =
    Drover.parallel_for ~start:0 ~finish:1 (fun i ->
        if i = 0 then wait flag else Atomic.set flag true)
  in
  only_one pool;
  if Array.length pool.members > 1 then
    for _ = 1 to 3 do
      List.iter
        (fun by ->
          Unix.sleepf 0.03;
          Pool.run pool (fun () -> by (Atomic.make false)))
        [ by_a_fork; by_a_loop ]
    done

(* It is served without a pause before each job: a pause begins with a call to those that work. *)
let served_at_once (pool : Worker.team) =
  if Array.length pool.members > 1 then begin
    only_one pool;
    let over = Atomic.make false and pauses = Atomic.make 0 and jobs = 1000 in
    let spin_unseen () =
      let w = Worker.here () in
      let attend = w.attention in
      w.attention <-
        (fun () ->
          Atomic.incr pauses;
          attend ());
      while not (Atomic.get over) do
        Domain.cpu_relax ()
      done;
      w.attention <- attend
    in
    let many () =
      for _ = 1 to jobs do
        Yield.give_way (Worker.here ())
      done;
      Atomic.set over true
    in
    Pool.run pool (fun () ->
        ignore (Pool.async many : unit Promise.t);
        spin_unseen ());
    if Atomic.get pauses > jobs / 10 then
      Alcotest.failf "%d pauses before %d jobs" (Atomic.get pauses) jobs
  end

(* With nobody inside, no other worker is awake. *)
let from_outside pool =
  only_one pool;
  let task = Pool.async_in pool (fun () -> fib 10) in
  while not (Promise.is_settled task) do
    Thread.delay 0.001
  done

(* In a pool that follows the load, the number of rounds tells for how long a worker searched. *)
let searches_in_vain (pool : Worker.team) =
  let absurd = 1. in
  let has_learned (w : Worker.t) = w.looks > 0 && w.load.look < absurd /. 1000. in
  if Array.length pool.members > 1 then begin
    Array.iter (fun (w : Worker.t) -> w.load.look <- absurd) pool.members;
    while not (Array.exists has_learned pool.members) do
      all pool;
      Pool.run pool (fun () -> ignore (fib 10 : int));
      Thread.delay 0.001
    done
  end

(* A pool of more workers than the machine has processors makes a domain for as many at first. These help, also
   after a pause, in which all fall asleep. *)
let wider_than_the_machine () =
  let wanted = (2 * Processors.available ()) + 2 in
  let pool = Pool.create ~domains:wanted ~adaptive:true () in
  (* Nobody looks at the load, which other programs may bring. *)
  Atomic.set pool.crowding.is_observed true;
  let me = Domain.self () and others = Atomic.make 0 in
  let iteration _ =
    if Domain.self () <> me then Atomic.incr others;
    Unix.sleepf 0.002
  in
  let loop () = Drover.parallel_for ~start:1 ~finish:8 iteration in
  let regions = 20 in
  let with_others = ref 0 in
  for _ = 1 to regions do
    Unix.sleepf 0.01;
    Atomic.set others 0;
    Pool.run pool loop;
    if Atomic.get others > 0 then incr with_others
  done;
  Pool.close pool;
  if pool.active > 1 then
    Alcotest.(check bool) "others help in most regions" true (2 * !with_others > regions)

let () =
  let on_each ?adaptive name f = on_each name (fun domains -> with_pool ?adaptive domains f) in
  let case name f = Alcotest.test_case name `Quick f in
  Alcotest.run "inside crowd"
    [
      ( "with nobody else",
        [ case "all work" (all_work quiet); case "a serial program" (all_work serial) ] );
      ("minor heaps", [ case "grow" heaps_grow; case "are bounded" heaps_are_bounded ]);
      ( "beside others",
        [
          case "fewer work" fewer_work;
          case "all, where that is worth it" worth_it;
          case "all again, when the others have gone" comes_back;
          case "no more than processors" no_more_than_processors;
          case "all, where they wait at collections" at_collections;
          case "nobody waits for who stands by" not_blocked;
          case "as many as run" as_many_as_run;
          case "at least one works" (fun () -> QCheck2.Test.check_exn at_least_one);
        ] );
      on_each "one works" alone;
      on_each "others come and go" coming_and_going;
      on_each "one waits for another" waited_for;
      on_each "one waits for what it hides" hidden_and_waited_for;
      on_each "who helps does so at once" served_at_once;
      on_each "nobody is inside" from_outside;
      on_each ~adaptive:true "a round is timed" searches_in_vain;
      ( "a pool that is wider than the machine",
        [ Test_support.Watchdog.case "after a pause" wider_than_the_machine ] );
    ]
