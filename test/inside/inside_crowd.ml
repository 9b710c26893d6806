(* Whoever stands by leaves nothing undone, whenever it is told to and whenever it comes back. *)

open Phases

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
  Alcotest.run "inside crowd"
    [
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
