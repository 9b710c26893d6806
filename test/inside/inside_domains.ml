(* The domains of pools: those that are made when they are wanted, and what comes from outside. *)

open Test_support
open Phases

let size (pool : Worker.team) = Array.length pool.members

let rec await what =
  if not (what ()) then begin
    Thread.delay 0.001;
    await what
  end

(* In the pool, while the caller stays outside. *)
let run_outside pool f =
  let task = Pool.async_in pool f in
  await (fun () -> Promise.is_settled task)

let program () =
  let allocate i = List.length (List.init (i land 63) Fun.id) in
  ignore (Drover.Array.init 1000 allocate : int array);
  Gc.minor ();
  forks_and_promises ()

(* Where there are fewer processors than workers, some have no domain until they are wanted. *)

let number_there (pool : Worker.team) =
  let is_there (w : Worker.t) = w.id > 0 && Atomic.get w.is_taken in
  Array.fold_left (fun n w -> n + Bool.to_int (is_there w)) 0 pool.members

let are_late (pool : Worker.team) =
  let opened = Int.min (size pool) (Processors.available ()) in
  if Option.is_some (Processors.time_file ()) then
    Alcotest.(check int) "domains of its own" (opened - 1) (number_there pool)

(* Tasks that wait for each other without the scheduler's knowing. *)
let meet pool what =
  let gate = Atomic.make 0 in
  let come () =
    Atomic.incr gate;
    while Atomic.get gate < size pool do
      Domain.cpu_relax ()
    done;
    what ()
  in
  Pool.run pool (fun () ->
      List.map Promise.await (List.init (size pool) (fun _ -> Pool.async come)))

let wanted pool =
  are_late pool;
  ignore (meet pool ignore : unit list);
  Alcotest.(check int) "domains" (size pool - 1) (number_there pool)

(* Whoever makes a domain may block all signals, as the thread does that looks after timers; children
   of the new one's tasks must not. *)
let signals pool =
  let blocks_some () = List.mem Sys.sigusr2 (Thread.sigmask SIG_BLOCK []) in
  let seen = meet pool blocks_some in
  Alcotest.(check (list bool)) "blocked" (List.map (fun _ -> false) seen) seen

let opened_and_closed domains () =
  for i = 0 to 20 do
    let pool = Pool.create ~domains ~adaptive:(i land 1 = 0) () in
    let until = Unix.gettimeofday () +. (0.001 *. float i) in
    while Unix.gettimeofday () < until do
      Pool.run pool (fun () -> ignore (fib 10 : int))
    done;
    Pool.close pool
  done

(* A finaliser may need the domain's own state, which a domain that has just come does not have: so
   none of those that others leave behind may run there. *)

let finalised = Domain.DLS.new_key (fun () -> ref 0)

let leave_some pool =
  let leave i =
    Gc.finalise_last (fun () -> incr (Domain.DLS.get finalised)) (ref i);
    fib (i land 7)
  in
  Pool.async_in pool (fun () ->
      ignore (Drover.Array.init 1000 leave : int array);
      External.sleep 0.001;
      ignore (Drover.Array.init 1000 leave : int array))

let finalisers domains () =
  let until = Unix.gettimeofday () +. 2. in
  let collect () =
    while Unix.gettimeofday () < until do
      Gc.minor ()
    done
  in
  (* Those that the test before has left. *)
  Gc.full_major ();
  let other = Domain.spawn collect in
  while Unix.gettimeofday () < until do
    let pool = Pool.create ~domains ~adaptive:false () in
    let task = leave_some pool in
    await (fun () -> Promise.is_settled task);
    Pool.close pool
  done;
  Domain.join other

let in_the_system pool =
  let from, into = Unix.pipe ~cloexec:true () in
  let finally () =
    Unix.close from;
    Unix.close into
  in
  Fun.protect ~finally (fun () ->
      Pool.run pool (fun () ->
          let write () = ignore (Unix.write_substring into "x" 0 1 : int) in
          ignore (Pool.async write : unit Promise.t);
          Alcotest.(check int) "read" 1 (Unix.read from (Bytes.create 1) 0 1)))

let from_outside pool =
  for _ = 1 to 10 do
    run_outside pool (fun () -> fib 10)
  done

(* The caller leaves while tasks wait. *)
let left_alone pool =
  let task =
    Pool.run pool (fun () ->
        Pool.async (fun () ->
            External.sleep 0.02;
            fib 10))
  in
  await (fun () -> Promise.is_settled task)

(* Two callers at a time. *)
let two_callers pool =
  let run () =
    for _ = 1 to 20 do
      Pool.run pool program
    done
  in
  let other = Domain.spawn run in
  run ();
  Domain.join other

let timers pool =
  Pool.run pool (fun () ->
      Fork_join.all (List.init 20 (fun i () -> External.sleep (0.001 *. float i)))
      |> (ignore : unit list -> unit))

let await_sleep (pool : Worker.team) =
  let sleeps (w : Worker.t) = w.id = 0 || w.announced in
  await (fun () -> Array.for_all sleeps pool.members)

let choose_all (pool : Worker.team) =
  Array.iter
    (fun (w : Worker.t) -> if Sleepers.remove pool.sleepers w.id then Atomic.incr pool.searching)
    pool.members

(* Whoever waits for a task, and is woken because that has ended, leaves at once, and what else there
   is to the other. *)
let woken_by_its_result (pool : Worker.team) =
  for _ = 1 to 300 do
    let result, resolver = Promise.create () and ran_on = Atomic.make None in
    let more = Job.rest (fun () -> Atomic.set ran_on (Some (Domain.self ()))) in
    let fulfil () =
      await (fun () -> Array.for_all (fun (w : Worker.t) -> w.announced) pool.members);
      Promise.fulfil resolver ()
    in
    let other = Thread.create fulfil () in
    let leaves_more () =
      Promise.await result;
      Inbox.add pool.inbox more;
      Domain.self ()
    in
    let ended_on = Pool.run pool leaves_more in
    Thread.join other;
    await (fun () -> Option.is_some (Atomic.get ran_on));
    if ended_on <> Domain.self () then
      Alcotest.(check bool) "by the caller" false (Atomic.get ran_on = Some (Domain.self ()))
  done

(* Where there is no room for a domain, a task waits until there is. In a process of its own, which has
   room for few. *)

let rec take_all_domains over taken =
  match Domain.spawn (fun () -> await (fun () -> Atomic.get over)) with
  | domain -> take_all_domains over (domain :: taken)
  | exception Failure _ -> taken

let comes_to_no_domain () =
  let over = Atomic.make false in
  let taken = take_all_domains over [] in
  let pool = Pool.create ~domains:2 () in
  Alcotest.(check int) "size" 1 (size pool);
  let task = Pool.async_in pool ignore in
  Alcotest.(check bool)
    "nobody is there" false
    (Array.exists (fun (w : Worker.t) -> Atomic.get w.is_taken) pool.members);
  Atomic.set over true;
  List.iter Domain.join taken;
  await (fun () -> Promise.is_settled task);
  Pool.close pool

let no_domain = { Child.name = "there is no room for a domain"; play = comes_to_no_domain }

(* A loop that is asked for parts goes on, although those that are on their way never come for one. *)
let loops_beside_chosen (pool : Worker.team) =
  Pool.run pool (fun () ->
      await_sleep pool;
      choose_all pool;
      let iterations = Atomic.make 0 in
      for grain = 1 to 5 do
        Drover.parallel_for ~grain ~start:1 ~finish:10 (fun _ ->
            Atomic.incr iterations;
            Worker.ask_loops (Worker.here ()))
      done;
      Alcotest.(check int) "iterations" 50 (Atomic.get iterations);
      Array.iter (fun (w : Worker.t) -> Parker.wake w.parker) pool.members)

let tests () =
  let each = on_each in
  let on_each name ?adaptive f = each name (fun domains -> with_pool ?adaptive domains f) in
  Alcotest.run "inside domains"
    [
      on_each "come when they are wanted" ~adaptive:true wanted;
      on_each "signals" ~adaptive:true signals;
      each "opened and closed" opened_and_closed;
      each "finalisers" finalisers;
      on_each "one waits in the system" in_the_system;
      on_each "nobody is inside" from_outside;
      on_each "the caller leaves" left_alone;
      on_each "two callers" two_callers;
      on_each "timers" timers;
      on_each "loops beside workers that were chosen" loops_beside_chosen;
      ("results", [ Watchdog.case "wake who waits" (with_pool 2 woken_by_its_result) ]);
      ("no room", [ Child.case ~parameters:"d=3" no_domain ]);
    ]

let () = Child.main [ no_domain ] tests
