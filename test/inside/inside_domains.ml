(* Domains that end where they are not wanted, and come back: nothing is left undone meanwhile. *)

open Test_support
open Phases

let size (pool : Worker.team) = Array.length pool.members

(* One is to work, and for long, or until all are tried again. *)
let only_one (pool : Worker.team) =
  let now = Unix.gettimeofday () +. 1000. in
  pool.crowding.crowd <- Crowd.create ~processors:(size pool) ~free:1 ~now (size pool);
  pool.active <- 1

let all (pool : Worker.team) =
  pool.crowding.crowd <- Crowd.create ~processors:(size pool) ~free:max_int ~now:0. (size pool);
  pool.active <- max_int

let away (pool : Worker.team) = Atomic.get pool.away

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

(* Runs the program until the others have gone, which wait until this domain looks after timers, as it
   does at collections. *)
let have_others_end pool =
  while away pool < size pool - 1 do
    only_one pool;
    Pool.run pool program
  done

(* Those that have come may end before this domain sees it, if there are fewer processors. *)
let come_back pool =
  have_others_end pool;
  while away pool > 0 do
    all pool;
    Pool.run pool program
  done

(* Whoever makes a domain anew may block all signals, as the thread does that looks after timers;
   children of the new one's tasks must not. *)
let signals pool =
  let mask = Thread.sigmask SIG_BLOCK [ Sys.sigusr2 ] in
  let finally () = ignore (Thread.sigmask SIG_SETMASK mask : int list) in
  Fun.protect ~finally (fun () -> come_back pool);
  let blocks_some () = List.mem Sys.sigusr2 (Thread.sigmask SIG_BLOCK []) in
  let gate = Atomic.make 0 in
  let look () =
    Atomic.incr gate;
    while Atomic.get gate < size pool do
      Domain.cpu_relax ()
    done;
    blocks_some ()
  in
  let run () = List.map Promise.await (List.init (size pool) (fun _ -> Pool.async look)) in
  let seen = Pool.run pool run in
  Alcotest.(check (list bool)) "blocked" (List.map (fun _ -> false) seen) seen

let coming_and_going pool =
  for _ = 1 to 3 do
    come_back pool
  done

(* While the phases change at any time. *)
let at_random pool =
  let phases =
    [
      ((fun () -> only_one pool), fun () -> Random.float 0.04);
      ((fun () -> all pool), fun () -> Random.float 0.1);
    ]
  and until = Unix.gettimeofday () +. 1. in
  while_changing phases (fun () ->
      while Unix.gettimeofday () < until do
        Pool.run pool program
      done)

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
      Delay.wait 0.001;
      ignore (Drover.Array.init 1000 leave : int array))

let finalisers pool =
  let phases =
    [ ((fun () -> only_one pool), fun () -> 0.02); ((fun () -> all pool), fun () -> 0.02) ]
  and until = Unix.gettimeofday () +. 2. in
  while_changing phases (fun () ->
      while Unix.gettimeofday () < until do
        let task = leave_some pool in
        await (fun () -> Promise.is_settled task)
      done)

(* A task that waits without the scheduler's knowing. *)
let waited_for pool =
  have_others_end pool;
  Pool.run pool (fun () ->
      let flag = Atomic.make false in
      ignore (Pool.async (fun () -> Atomic.set flag true) : unit Promise.t);
      while not (Atomic.get flag) do
        Domain.cpu_relax ()
      done)

let in_the_system pool =
  have_others_end pool;
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
  have_others_end pool;
  for _ = 1 to 10 do
    run_outside pool (fun () -> fib 10)
  done

(* The caller leaves while tasks wait. *)
let left_alone pool =
  have_others_end pool;
  let task =
    Pool.run pool (fun () ->
        Pool.async (fun () ->
            Delay.wait 0.02;
            fib 10))
  in
  await (fun () -> Promise.is_settled task)

(* Two callers at a time. *)
let two_callers pool =
  have_others_end pool;
  let run () =
    for _ = 1 to 20 do
      Pool.run pool program
    done
  in
  let other = Domain.spawn run in
  run ();
  Domain.join other

let closed_meanwhile domains () =
  for i = 0 to 20 do
    let pool = Pool.create ~domains ~adaptive:false () in
    only_one pool;
    let until = Unix.gettimeofday () +. (0.001 *. float i) in
    while Unix.gettimeofday () < until do
      Pool.run pool (fun () -> ignore (fib 10 : int))
    done;
    Pool.close pool
  done

let timers pool =
  have_others_end pool;
  Pool.run pool (fun () ->
      Fork_join.all (List.init 20 (fun i () -> Delay.wait (0.001 *. float i)))
      |> (ignore : unit list -> unit))

let await_sleep (pool : Worker.team) =
  let sleeps (w : Worker.t) = w.id = 0 || w.announced in
  await (fun () -> Array.for_all sleeps pool.members)

let choose_all (pool : Worker.team) =
  while Sleepers.choose pool.sleepers <> Sleepers.nobody do
    Atomic.incr pool.searching
  done

(* A signal's handler that waits for a task may have interrupted whoever had chosen a sleeper, and had
   not woken it yet. *)
let chosen_not_woken (pool : Worker.team) =
  let is_over = Atomic.make false in
  let keep_place () =
    while not (Atomic.get is_over) do
      Thread.delay 0.001
    done
  in
  let first = Thread.create (fun () -> Pool.run pool keep_place) () in
  await (fun () -> pool.members.(0).in_job);
  await_sleep pool;
  choose_all pool;
  Pool.run pool ignore;
  Atomic.set is_over true;
  Thread.join first

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

(* Ends wait for births, and a birth for a domain that a thread keeps from its end. A handler or a
   finaliser that closes a pool meanwhile waits for the end of its domain. *)

let use_and_close = with_pool 2 (fun pool -> run_outside pool ignore)

let closes_meanwhile interrupt pool =
  run_outside pool (fun () -> ignore (Thread.create Thread.delay 0.8 : Thread.t));
  have_others_end pool;
  let closed = Atomic.make false in
  let interrupt =
    interrupt (fun () ->
        use_and_close ();
        Atomic.set closed true)
  in
  let other =
    Domain.spawn (fun () ->
        ignore (Thread.sigmask SIG_BLOCK [ Sys.sigusr1 ] : int list);
        Thread.delay 0.1;
        interrupt ())
  in
  use_and_close ();
  Domain.join other;
  await (fun () -> Atomic.get closed)

let by_a_handler f =
  Sys.set_signal Sys.sigusr1 (Signal_handle (fun _ -> f ()));
  fun () -> Unix.kill (Unix.getpid ()) Sys.sigusr1

let by_a_finaliser f =
  Gc.finalise_last f (ref 0);
  Gc.minor

(* A callback of Memprof interrupts a call, and waits for what the call is about to see to. *)

(* [play at], where [at callback call] calls [callback] at the first allocation of [call]; and so on,
   until there is none. *)
let at_each_allocation play =
  ignore (Interrupted.at_each (fun moment -> play (Interrupted.at moment)) : int)

(* The thread cannot be lent, as its domain has another worker. *)
let beside f = Drover.run ~domains:1 (fun () -> Place.in_thread f)

(* It waits for the very domain whose birth it has interrupted: itself, or by another pool. *)
let waits_for_a_birth callback pool =
  at_each_allocation (fun at ->
      have_others_end pool;
      beside (fun () ->
          let task = ref None in
          at callback (fun () -> task := Some (Pool.async_in pool ignore));
          await (fun () -> Promise.is_settled (Option.get !task))))

let wait_for_itself pool =
  let wait () = Pool.run pool ignore in
  waits_for_a_birth wait pool

let wait_by_another pool =
  let wait another =
    waits_for_a_birth (fun () -> Pool.run another (fun () -> Pool.run pool ignore))
  in
  with_pool 2 (fun another -> wait another pool) ()

(* Of the default pool, before there is one. *)
let waits_for_the_default () =
  at_each_allocation (fun at ->
      Pool.close (Pool.default ());
      let wait () = Promise.await (Pool.async ignore) in
      at wait (fun () -> ignore (Pool.default () : Pool.t)))

let wait_for_a_timer () =
  let parker = Parker.create () in
  let timer = Poller.at (Clock.now () +. 1e-4) (fun () -> Parker.wake parker) in
  Parker.park parker;
  Poller.cancel timer

(* The thread that looks after timers ends, and the next one is interrupted while it is made. *)
let waits_for_a_timer () =
  at_each_allocation (fun at ->
      Poller.leave ();
      at wait_for_a_timer wait_for_a_timer)

(* What a callback raises in the thread that looks after timers, from its first step on, does not end
   it. *)
let raises_in_timers_thread () =
  for n = 1 to 60 do
    Poller.leave ();
    Interrupted.beside (Interrupted.nth n) (fun () -> raise Exit) wait_for_a_timer;
    wait_for_a_timer ()
  done

(* Where there is no room for a domain, a task comes while somebody tries to make one, and sees that
   there is going to be one. In a process of its own, which has room for few. *)

let rec take_all_domains over taken =
  match Domain.spawn (fun () -> await (fun () -> Atomic.get over)) with
  | domain -> take_all_domains over (domain :: taken)
  | exception Failure _ -> taken

let rec comes_to_no_birth at =
  let over = Atomic.make false and tasks = ref [] and is_served = ref false in
  let taken = take_all_domains over [] in
  let pool = Pool.create ~domains:2 () in
  let come () = tasks := [ Pool.async_in pool ignore ] in
  at come (fun () -> is_served := Domains.serve pool);
  Atomic.set over true;
  List.iter Domain.join taken;
  await (fun () -> List.for_all Promise.is_settled !tasks);
  Pool.close pool;
  (* What has just ended takes a moment to give back its place. *)
  if !is_served then comes_to_no_birth at

let no_birth =
  {
    Child.name = "there is no room for a domain";
    play = (fun () -> at_each_allocation comes_to_no_birth);
  }

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
      Team.wake_chosen pool)

let tests () =
  let each = on_each in
  let on_each name f = on_each name (fun domains -> with_pool domains f) in
  Alcotest.run "inside domains"
    [
      on_each "go and come back" coming_and_going;
      on_each "signals" signals;
      on_each "at random" at_random;
      on_each "finalisers" finalisers;
      on_each "one waits for another" waited_for;
      on_each "one waits in the system" in_the_system;
      on_each "nobody is inside" from_outside;
      on_each "the caller leaves" left_alone;
      on_each "two callers" two_callers;
      on_each "timers" timers;
      on_each "chosen, and not woken" chosen_not_woken;
      on_each "loops beside those" loops_beside_chosen;
      ("results", [ Watchdog.case "wake who waits" (with_pool 2 woken_by_its_result) ]);
      each "closed meanwhile" closed_meanwhile;
      ( "closed beside a birth",
        [
          Watchdog.case "by a handler" (with_pool 2 (closes_meanwhile by_a_handler));
          Watchdog.case "by a finaliser" (with_pool 2 (closes_meanwhile by_a_finaliser));
        ] );
      ( "interrupted by who waits for it",
        [
          Watchdog.case "a birth" (with_pool 2 wait_for_itself);
          Watchdog.case "a birth, by another pool" (with_pool 2 wait_by_another);
          Watchdog.case "a timer" waits_for_a_timer;
          Watchdog.case "the default pool" waits_for_the_default;
        ] );
      ("no birth", [ Child.case ~parameters:"d=3" no_birth ]);
      ("timers' thread", [ Watchdog.case "does not end" raises_in_timers_thread ]);
    ]

let () = Child.main [ no_birth ] tests
