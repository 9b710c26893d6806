(* Sleeping, timeouts, and calls that block. *)

open Test_support
open Drover
open Stdlib

let check_int (what : string) (expected : int) found = Stranger.expect what expected found
let never () = await (fst (Promise.create ()))
let long = 3600.
let moment = 0.002

exception Stop

let case name f =
  Watchdog.case name (fun () ->
      f ();
      List.iter (fun domains -> run ~domains f) [ 1; 2; 4 ])

(* All of them are asleep at the same time, also on one domain: none holds its worker. *)
let together () =
  let n = 1000 in
  let dozing = Atomic.make 0 in
  let doze () =
    Atomic.incr dozing;
    sleep long
  in
  Failing.raises "all are asleep" Stop (fun () ->
      Scope.run (fun s ->
          for _ = 1 to n do
            Scope.spawn s doze
          done;
          while Atomic.get dozing < n do
            sleep moment
          done;
          raise Stop))

let now () = Int64.to_float Runtime_events.Timestamp.(to_int64 (get_current ())) *. 1e-9

let long_enough () =
  let asleep = 0.02 in
  let before = now () in
  let doze () =
    sleep asleep;
    now ()
  in
  let awake = all (List.init 100 (fun _ -> doze)) in
  Stranger.expect "none wakes too early" true
    (List.for_all (fun at -> at >= before +. asleep) awake)

let the_shortest () =
  let doze seconds i () =
    sleep seconds;
    i
  in
  check_int "who is awake first" 2 (Scope.first [ doze long 1; doze moment 2; doze long 3 ])

let sleeps_not () =
  sleep 0.;
  sleep (-1.);
  sleep neg_infinity;
  Failing.misuse "Drover.sleep" (fun () -> sleep nan)

let sleep_is_cancelled () =
  Failing.raises "a sleeper" Stop (fun () ->
      Scope.run (fun s ->
          List.iter
            (fun time -> Scope.spawn s (fun () -> sleep time))
            [ long; infinity; max_float; 1e10 ];
          sleep moment;
          raise Stop));
  Failing.raises "no sleep" Stop (fun () ->
      Scope.run (fun s ->
          Scope.cancel s Stop;
          sleep 0.;
          failwith "it slept"))

(* A worker that computes all the time does not keep others from waking up. *)
let beside_computation () =
  let stop = Atomic.make false in
  run ~domains:2 (fun () ->
      let compute () =
        while not (Atomic.get stop) do
          ignore (Sys.opaque_identity (ref 0) : int ref)
        done
      and wake () =
        for _ = 1 to 20 do
          sleep moment
        done;
        Atomic.set stop true
      in
      ignore (both wake compute : unit * unit))

let in_time () =
  check_int "value" 1 (Scope.with_timeout long (fun () -> 1));
  check_int "value" 2 (Scope.with_deadline (Unix.gettimeofday () +. long) (fun () -> 2));
  check_int "for ever" 3 (Scope.with_timeout infinity (fun () -> 3));
  Failing.check 4 (fun () -> Scope.with_timeout long (fun () -> Failing.raise_here 4));
  Failing.raises "its own exception" Stop (fun () -> Scope.with_timeout long (fun () -> raise Stop))

let timeouts () =
  let timeout what f = Failing.raises what Scope.Timeout (fun () -> Scope.with_timeout moment f) in
  timeout "await" never;
  timeout "sleep" (fun () -> sleep long);
  timeout "both" (fun () -> ignore (both never never : unit * unit));
  timeout "a loop" (fun () -> parallel_for ~start:1 ~finish:3 (fun _ -> never ()));
  timeout "forks" (fun () ->
      while true do
        ignore (both ignore ignore : unit * unit)
      done);
  timeout "checks" (fun () ->
      while true do
        Scope.check ()
      done);
  timeout "another pool" (fun () -> run ~domains:2 never);
  Failing.raises "deadline" Scope.Timeout (fun () ->
      Scope.with_deadline (Unix.gettimeofday () +. moment) never)

let not_called () =
  let fail () = failwith "called" in
  Failing.raises "none left" Scope.Timeout (fun () -> Scope.with_timeout 0. fail);
  Failing.raises "long over" Scope.Timeout (fun () -> Scope.with_deadline 0. fail);
  Failing.misuse "Drover.Scope.with_timeout" (fun () -> Scope.with_timeout nan fail);
  Failing.misuse "Drover.Scope.with_deadline" (fun () -> Scope.with_deadline nan fail)

let nested () =
  let inner = ref 0 in
  Failing.raises "the outer one" Scope.Timeout (fun () ->
      Scope.with_timeout moment (fun () ->
          try Scope.with_timeout long never with
          | Cancelled Scope.Timeout as exn ->
              incr inner;
              raise exn
          | Scope.Timeout -> failwith "the inner one"));
  check_int "passed on" 1 !inner;
  check_int "the inner one" 5
    (Scope.with_timeout long (fun () ->
         try Scope.with_timeout moment never with Scope.Timeout -> 5))

(* The timers of those that ended in time are gone with what they refer to. *)
let forgotten () =
  let reach = Reach.create () in
  run ~domains:2 (fun () ->
      parallel_for ~start:1 ~finish:200 (fun i ->
          let watched = Reach.watch reach (ref i) in
          Scope.with_timeout long (fun () ->
              Scope.check ();
              incr watched);
          try
            Scope.with_timeout moment (fun () ->
                Fun.protect (fun () -> sleep long) ~finally:(fun () -> incr watched))
          with Scope.Timeout -> ()));
  Alcotest.(check int) "alive" 0 (Reach.remain reach)

(* Calls that block *)

(* [n] calls that begin together. Each needs the others to be in progress. *)
let meet n =
  let mutex = Stdlib.Mutex.create () and all_here = Stdlib.Condition.create () in
  let here = ref 0 in
  let call () =
    blocking (fun () ->
        Stdlib.Mutex.protect mutex (fun () ->
            incr here;
            if !here = n then Stdlib.Condition.broadcast all_here;
            while !here < n do
              Stdlib.Condition.wait all_here mutex
            done))
  in
  ignore (all (List.init n (fun _ -> call)) : unit list)

(* Although there is one worker. *)
let side_by_side () = run ~domains:1 (fun () -> meet 20)

(* After a short call its thread looks for the next ones by itself: the other threads are woken then,
   too. *)
let after_a_short_one () =
  run ~domains:2 (fun () ->
      for _ = 1 to 2000 do
        blocking ignore;
        blocking ignore;
        meet 4
      done)

let results () =
  check_int "value" 7 (blocking (fun () -> 7));
  Failing.check 8 (fun () -> blocking (fun () -> Failing.raise_here 8));
  check_int "inside another" 9 (blocking (fun () -> blocking (fun () -> 9)));
  Stranger.expect "outside any task" None (run ~domains:1 (fun () -> blocking Pool.current))

let many () =
  let now = Atomic.make 0 and most = Atomic.make 0 in
  let rec raise_to n =
    let m = Atomic.get most in
    if n > m && not (Atomic.compare_and_set most m n) then raise_to n
  in
  let call i () =
    blocking (fun () ->
        raise_to (1 + Atomic.fetch_and_add now 1);
        Thread.delay 0.001;
        Atomic.decr now;
        i)
  in
  let n = 500 in
  let sum = List.fold_left ( + ) 0 (run ~domains:2 (fun () -> all (List.init n call))) in
  check_int "all" (n * (n - 1) / 2) sum;
  Stranger.expect "the bound" true (Atomic.get most <= 64)

let call_is_not_cancelled () =
  let started = Atomic.make false and cancelled = Atomic.make false and ended = Atomic.make false in
  let rec await_flag flag wait =
    if not (Atomic.get flag) then begin
      wait moment;
      await_flag flag wait
    end
  in
  Failing.raises "after the call" Stop (fun () ->
      Scope.run (fun s ->
          Scope.spawn s (fun () ->
              await_flag started sleep;
              Scope.cancel s Stop;
              Atomic.set cancelled true);
          check_int "the result is not lost" 3
            (blocking (fun () ->
                 Atomic.set started true;
                 await_flag cancelled Thread.delay;
                 Atomic.set ended true;
                 3));
          Scope.check ();
          failwith "not cancelled"));
  Stranger.expect "ended" true (Atomic.get ended);
  Failing.raises "before the call" Stop (fun () ->
      Scope.run (fun s ->
          Scope.cancel s Stop;
          blocking (fun () -> failwith "called")))

(* One that sleeps for no time does not keep its worker from what else there is. *)
let gives_way () =
  let turns = Array.init 3 (fun _ -> Atomic.make 0) in
  let are_all_there () = Array.for_all (fun turn -> Atomic.get turn > 0) turns in
  let take turn () =
    Atomic.incr turn;
    while not (are_all_there ()) do
      sleep (if Atomic.get turn mod 2 = 0 then 0. else -1.);
      Atomic.incr turn
    done
  in
  if Option.is_some (Pool.current ()) then
    List.iter await (List.map (fun turn -> async (take turn)) (Stdlib.Array.to_list turns));
  match
    Scope.run (fun s ->
        Scope.spawn s (fun () -> raise Stop);
        while true do
          sleep 0.
        done)
  with
  | () -> failwith "never ends"
  | exception Stop -> ()

let () =
  Alcotest.run "unit time"
    [
      ( "sleep",
        [
          case "side by side" together;
          case "long enough" long_enough;
          case "the shortest" the_shortest;
          case "no time" sleeps_not;
          case "gives way" gives_way;
          case "is cancelled" sleep_is_cancelled;
          Watchdog.case "beside computation" beside_computation;
        ] );
      ( "timeout",
        [
          case "in time" in_time;
          case "too late" timeouts;
          case "not called" not_called;
          case "nested" nested;
          Watchdog.case "leaves nothing" forgotten;
        ] );
      ( "blocking",
        [
          Watchdog.case ~seconds:300. "side by side" side_by_side;
          Watchdog.case ~seconds:300. "side by side, after a short one" after_a_short_one;
          case "results" (fun () -> if Option.is_some (Pool.current ()) then results ());
          Watchdog.case "many" many;
          case "is not cancelled" (fun () -> Pool.run (Pool.default ()) call_is_not_cancelled);
        ] );
    ]
