(* The life of pools, and who may use them when. *)

open Test_support
open Drover
open Stdlib

let misuse () =
  List.iter
    (fun domains ->
      Failing.misuse "Drover.Pool.create: domains < 1" (fun () -> Pool.create ~domains ());
      Failing.misuse "Drover." (fun () -> run ~domains ignore))
    [ 0; -1; min_int ];
  Failing.misuse "Drover.Pool.create: minor_heap_words < 1" (fun () ->
      Pool.create ~minor_heap_words:0 ())

let closed_pool () =
  let p = Pool.create ~name:"shut" ~domains:2 () in
  Pool.close p;
  let is_closed f =
    match f () with
    | _ -> Alcotest.fail "a closed pool runs something"
    | exception Invalid_argument message ->
        Alcotest.(check bool)
          message true
          (String.starts_with ~prefix:"Drover.Pool.run: " message
          && String.ends_with ~suffix:"closed" message)
  in
  List.iter
    (fun (place : Place.t) -> place.call (fun () -> is_closed (fun () -> Pool.run p ignore)))
    Place.all

let closed_from_within domains () =
  let p = Pool.create ~domains () in
  Pool.run p (fun () -> Failing.misuse "Drover.Pool.close: " (fun () -> Pool.close p));
  Alcotest.(check int) "still open" 1 (Pool.run p (fun () -> 1));
  Pool.close p

let closed_twice () =
  let p = Pool.create ~domains:2 () in
  Pool.close p;
  Pool.close p;
  let q = Pool.create ~domains:2 () in
  List.iter Thread.join (List.init 4 (fun _ -> Thread.create Pool.close q));
  Failing.misuse "Drover.Pool.run: " (fun () -> Pool.run q ignore)

let closed_from (place : Place.t) domains () =
  let p = Pool.create ~domains () in
  Pool.run p (fun () -> ignore (async ignore : unit Promise.t));
  place.call (fun () -> Pool.close p);
  Failing.misuse "Drover.Pool.run: " (fun () -> Pool.run p ignore)

(* Closed when the function has ended, however that is, and what it has started too. *)
let with_pool (place : Place.t) () =
  let ended = Atomic.make 0 and kept = Atomic.make [] in
  let start p =
    Atomic.set kept (p :: Atomic.get kept);
    ignore
      (Pool.async p (fun () ->
           sleep 0.01;
           Atomic.incr ended)
        : unit Promise.t);
    Pool.run p (fun () -> Option.get (Pool.current ()) == p && Pool.size p = 2)
  in
  place.call (fun () ->
      Alcotest.(check bool) "value" true (Pool.with_pool ~domains:2 start);
      Failing.check 1 (fun () ->
          Pool.with_pool ~name:"fails" ~domains:2 (fun p ->
              ignore (start p : bool);
              Failing.raise_here 1)));
  Alcotest.(check int) "all have ended" 2 (Atomic.get ended);
  let is_closed p = Failing.misuse "Drover.Pool.run: " (fun () -> Pool.run p ignore) in
  List.iter is_closed (Atomic.get kept);
  Failing.misuse "Drover.Pool.with_pool: " (fun () -> Pool.with_pool ~domains:0 ignore)

(* The caller is cancelled, and waits for the tasks all the same. *)
let with_pool_cancelled new_pool domains () =
  let ended = ref false in
  let body scope =
    new_pool (fun start ->
        start (fun () ->
            sleep 0.05;
            ended := true);
        Scope.cancel scope Exit)
  in
  Alcotest.check_raises "cancelled" Exit (fun () -> run ~domains (fun () -> Scope.run body));
  Alcotest.(check bool) "the task has ended" true !ended

let by_with_pool f =
  Pool.with_pool ~domains:2 (fun p -> f (fun task -> ignore (Pool.async p task : unit Promise.t)))

let by_run f = run ~domains:2 (fun () -> f (fun task -> ignore (async task : unit Promise.t)))

(* Tasks that nobody awaits, some suspended, some that start others: [close] waits for all. *)
let drains domains () =
  let p = Pool.create ~domains () in
  let ended = Atomic.make 0 in
  let go, r = Promise.create () in
  let rec task depth () =
    if depth > 0 then ignore (async (task (depth - 1)) : unit Promise.t);
    await go;
    Atomic.incr ended
  in
  Pool.run p (fun () ->
      for _ = 1 to 10 do
        ignore (async (task 9) : unit Promise.t)
      done);
  let fulfil () =
    Thread.delay 0.02;
    Promise.fulfil r ()
  in
  let foreign = Thread.create fulfil () in
  Pool.close p;
  Thread.join foreign;
  Alcotest.(check int) "tasks that ended" 100 (Atomic.get ended)

let drains_run () =
  let p = Pool.create ~domains:2 () in
  let started = Semaphore.Binary.make false in
  let go, r = Promise.create () in
  let body () =
    Semaphore.Binary.release started;
    await go;
    5
  in
  let result = ref 0 in
  let runner = Thread.create (fun () -> result := Pool.run p body) () in
  Semaphore.Binary.acquire started;
  let closer = Thread.create Pool.close p in
  Promise.fulfil r ();
  Thread.join closer;
  Thread.join runner;
  Alcotest.(check int) "the run that was under way" 5 !result

let nested_run_is_a_call () =
  let p = Pool.create ~domains:1 () in
  let inner = Pool.run p (fun () -> Pool.run p (fun () -> Thread.id (Thread.self ()))) in
  Alcotest.(check int) "on the same thread" (Thread.id (Thread.self ())) inner;
  Pool.close p

let same_pool what expected found =
  Alcotest.(check bool) what true (match found with Some p -> p == expected | None -> false)

let current () =
  let outside what = Alcotest.(check bool) what true (Option.is_none (Pool.current ())) in
  let p = Pool.create ~name:"mine" ~domains:2 () in
  outside "main";
  Pool.run p (fun () ->
      same_pool "run" p (Pool.current ());
      let here, there = both Pool.current Pool.current in
      same_pool "both, here" p here;
      same_pool "both, there" p there;
      same_pool "async" p (await (async Pool.current));
      Place.in_thread (fun () -> outside "a systhread beside a task");
      Place.in_domain (fun () -> outside "a domain beside a task");
      run ~domains:1 (fun () ->
          Alcotest.(check bool) "another pool" false (Pool.current () = Some p));
      same_pool "afterwards" p (Pool.current ()));
  outside "main again";
  Alcotest.(check string) "name" "mine" (Pool.name p);
  Pool.close p

let default () =
  let p = Pool.default () in
  Alcotest.(check bool) "the same again" true (p == Pool.default ());
  same_pool "ambient" p (await (async Pool.current));
  Pool.close p;
  let q = Pool.default () in
  Alcotest.(check bool) "a new one after close" false (p == q);
  Alcotest.(check int) "that works" 3 (await (async (fun () -> 3)))

let minor_heap () =
  let words = 1 lsl 20 in
  let p = Pool.create ~domains:2 ~minor_heap_words:words () in
  let at_least () = (Gc.get ()).minor_heap_size >= words in
  Alcotest.(check (pair bool bool))
    "in each domain" (true, true)
    (Pool.run p (fun () -> both at_least at_least));
  Pool.close p

(* Failures of [run] leave the pool as it was. *)
let run_fails () =
  let p = Pool.create ~domains:2 () in
  Failing.check 1 (fun () -> Pool.run p (fun () -> Failing.raise_here 1));
  Alcotest.(check int) "works on" 2 (Pool.run p (fun () -> 2));
  Pool.close p;
  List.iter
    (fun (place : Place.t) ->
      Failing.check 1 (fun () ->
          place.call (fun () -> run ~domains:2 (fun () -> Failing.raise_here 1))))
    Place.all

(* The main thread waits in every way that would lend its domain to a pool without a staff. *)
let staffed domains () =
  let p = Pool.create ~domains () in
  Pool.staff p;
  Pool.staff p;
  let here = Domain.self () in
  let is_elsewhere () = Domain.self () <> here in
  for _ = 1 to 100 do
    Alcotest.(check bool) "run" true (Pool.run p is_elsewhere);
    Alcotest.(check bool) "await" true (await (Pool.async p is_elsewhere))
  done;
  Alcotest.(check int) "size" domains (Pool.size p);
  Pool.close p;
  Failing.misuse "Drover.Pool.staff: " (fun () -> Pool.staff p)

(* Two tasks that wait for each other without suspending need two domains, of which this is none. *)
let staff_is_complete () =
  let p = Pool.create ~domains:2 () in
  Pool.staff p;
  let come = Atomic.make 0 in
  let meet () =
    Atomic.incr come;
    while Atomic.get come < 2 do
      Domain.cpu_relax ()
    done
  in
  let one = Pool.async p meet and other = Pool.async p meet in
  while not (Promise.is_settled one && Promise.is_settled other) do
    Thread.yield ()
  done;
  Pool.close p

let async_in_a_pool domains () =
  let p = Pool.create ~domains () in
  let is_inside () = Option.fold ~none:false ~some:(( == ) p) (Pool.current ()) in
  List.iter
    (fun (place : Place.t) ->
      let inside = place.call (fun () -> await (Pool.async p is_inside)) in
      Alcotest.(check bool) place.name true inside;
      Failing.check 3 (fun () ->
          place.call (fun () -> await (Pool.async p (fun () -> Failing.raise_here 3)))))
    Place.all;
  Pool.close p;
  Failing.misuse "Drover.Pool.async: " (fun () -> Pool.async p ignore)

(* Signals are for the domains of the program: handlers run on none of a pool's own. *)
let signals_go_elsewhere () =
  let signals = 50 in
  let sent = Atomic.make 0 and handled = Atomic.make 0 and astray = Atomic.make 0 in
  let handle _ =
    if not (Domain.is_main_domain ()) then Atomic.incr astray;
    Atomic.incr handled
  in
  let before = Sys.signal Sys.sigusr1 (Signal_handle handle) in
  let send () =
    let n = Atomic.get handled in
    if n < signals && Atomic.compare_and_set sent n (n + 1) then
      Unix.kill (Unix.getpid ()) Sys.sigusr1
  in
  let rec allocate () =
    if Atomic.get handled < signals then begin
      send ();
      ignore (Sys.opaque_identity (ref 0));
      allocate ()
    end
  in
  Drover.run ~domains:4 (fun () -> parallel_for ~start:1 ~finish:8 (fun _ -> allocate ()));
  Sys.set_signal Sys.sigusr1 before;
  Alcotest.(check (pair int int))
    "handled, astray" (signals, 0)
    (Atomic.get handled, Atomic.get astray)

let () =
  let on_each name test =
    List.map (fun n -> Watchdog.case (Printf.sprintf "%s, %d domains" name n) (test n)) [ 1; 2; 4 ]
  in
  let closed =
    List.concat_map (fun (p : Place.t) -> on_each ("from " ^ p.name) (closed_from p)) Place.all
  in
  Alcotest.run "unit pool"
    [
      ( "use",
        [
          Watchdog.case "misuse" misuse;
          Watchdog.case "a nested run" nested_run_is_a_call;
          Watchdog.case "current" current;
          Watchdog.case "default" default;
          Watchdog.case "minor heap" minor_heap;
          Watchdog.case "a run that fails" run_fails;
          Watchdog.case "signals" signals_go_elsewhere;
        ] );
      ("async", on_each "in a pool" async_in_a_pool);
      ("staff", Watchdog.case "complete" staff_is_complete :: on_each "elsewhere" staffed);
      ( "closed",
        [ Watchdog.case "not usable" closed_pool; Watchdog.case "twice" closed_twice ]
        @ on_each "from within" closed_from_within );
      ("close", closed);
      ( "with_pool",
        List.map (fun (p : Place.t) -> Watchdog.case p.name (with_pool p)) Place.all
        @ on_each "cancelled" (with_pool_cancelled by_with_pool)
        @ on_each "run, cancelled" (with_pool_cancelled by_run) );
      ("close drains", on_each "tasks" drains @ [ Watchdog.case "a run" drains_run ]);
    ]
