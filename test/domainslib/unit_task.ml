(* Domainslib's Task, on Drover. *)

open Test_support
module Task = Domainslib.Task

let with_pool ?name num_domains f =
  let pool = Task.setup_pool ?name ~num_domains () in
  Fun.protect (fun () -> f pool) ~finally:(fun () -> Task.teardown_pool pool)

(* In pools without domains of their own, and with. *)
let sizes = [ 0; 1; 3 ]
let on_each test () = List.iter (fun num_domains -> with_pool num_domains test) sizes
let in_each test = on_each (fun pool -> Task.run pool (fun () -> test pool))

(* Pools *)

let size () =
  let check num_domains =
    with_pool num_domains (fun pool ->
        Alcotest.(check int) "domains" (num_domains + 1) (Task.get_num_domains pool))
  in
  List.iter check sizes;
  Failing.misuse "Task.setup_pool: num_domains" (fun () -> Task.setup_pool ~num_domains:(-1) ())

(* OCaml has room for 128 domains. *)
let too_large () =
  with_pool 200 (fun pool ->
      let n = Task.get_num_domains pool in
      Alcotest.(check bool) "as many as there are" true (n > 1 && n <= 128);
      Alcotest.(check int) "works" 1 (Task.run pool (fun () -> 1)))

let found name = Option.is_some (Task.lookup_pool name)

let finds name pool =
  match Task.lookup_pool name with
  | Some p -> Alcotest.(check bool) ("the pool " ^ name) true (p == pool)
  | None -> Alcotest.failf "no pool %s" name

let names () =
  Alcotest.(check bool) "not yet" false (found "a");
  with_pool ~name:"a" 0 (fun a ->
      finds "a" a;
      with_pool ~name:"b" 0 (fun b ->
          finds "a" a;
          finds "b" b);
      Alcotest.(check bool) "b is gone" false (found "b"));
  Alcotest.(check bool) "a is gone" false (found "a")

let same_name () =
  let first = Task.setup_pool ~name:"a" ~num_domains:0 () in
  let second = Task.setup_pool ~name:"a" ~num_domains:0 () in
  finds "a" second;
  Task.teardown_pool first;
  finds "a" second;
  Task.teardown_pool second;
  Alcotest.(check bool) "both are gone" false (found "a")

let torn_down () =
  let pool = Task.setup_pool ~num_domains:1 () in
  let settled = Task.async pool (fun () -> 1) in
  Alcotest.(check int) "before" 1 (Task.run pool (fun () -> Task.await pool settled));
  Task.teardown_pool pool;
  let body _ = Alcotest.fail "a body runs" in
  let is_refused f = Failing.misuse "pool already torn down" f in
  is_refused (fun () -> Task.teardown_pool pool);
  is_refused (fun () -> Task.get_num_domains pool);
  is_refused (fun () -> Task.run pool body);
  is_refused (fun () -> Task.async pool body);
  is_refused (fun () -> Task.await pool settled);
  is_refused (fun () -> Task.parallel_for ~start:0 ~finish:1 ~body pool);
  is_refused (fun () -> Task.parallel_for ~start:1 ~finish:0 ~body pool);
  is_refused (fun () -> Task.parallel_for_reduce ~start:0 ~finish:1 ~body pool ( + ) 0);
  is_refused (fun () -> Task.parallel_find ~start:0 ~finish:1 ~body pool);
  is_refused (fun () -> Task.parallel_scan pool ( + ) [| 1; 2 |])

let teardown_inside () =
  let refuses f = Failing.misuse "Drover.Pool.close: " f in
  let check pool =
    refuses (fun () -> Task.run pool (fun () -> Task.teardown_pool pool));
    refuses (fun () ->
        Task.run pool (fun () ->
            Task.parallel_for pool ~start:0 ~finish:1 ~body:(fun _ -> Task.teardown_pool pool)));
    Alcotest.(check int) "still up" 1 (Task.run pool (fun () -> 1))
  in
  on_each check ();
  (* What another pool's task may do. *)
  with_pool ~name:"other" 1 (fun other ->
      let pool = Task.setup_pool ~num_domains:1 () in
      Task.run other (fun () -> Task.teardown_pool pool);
      Failing.misuse "pool already torn down" (fun () -> Task.run pool ignore))

(* Generators of the standard library: what tasks draw after [Random.init] is what a serial program draws if they run on
   its domain, whose generator they have; on several, numbers of [Rng] are the same. *)
let random_numbers () =
  let draw _ = Random.bits () and seed () = Random.init 42 in
  seed ();
  let serial = List.init 100 draw in
  with_pool 0 (fun pool ->
      seed ();
      let drawn =
        Task.run pool (fun () ->
            List.init 100 (fun _ -> Task.await pool (Task.async pool Random.bits)))
      in
      Alcotest.(check (list int)) "on the caller's domain" serial drawn);
  let table pool =
    Task.run pool (fun () ->
        let a = Array.make 1000 0 in
        Drover.Rng.iter (Random.State.make [| 42 |]) 1000 (fun rng i ->
            a.(i) <- Random.State.bits rng);
        a)
  in
  let first = with_pool 0 table in
  on_each (fun pool -> Alcotest.(check (array int)) "Rng" first (table pool)) ()

(* Domainslib loses those that have not started. *)
let teardown_waits () =
  let ran = Atomic.make 0 in
  let rec task depth pool () =
    Atomic.incr ran;
    if depth > 0 then
      for _ = 1 to 2 do
        ignore (Task.async pool (task (depth - 1) pool) : unit Task.promise)
      done
  in
  on_each (fun pool -> ignore (Task.async pool (task 9 pool) : unit Task.promise)) ();
  Alcotest.(check int) "all tasks" (List.length sizes * 1023) (Atomic.get ran)

(* Domainslib keeps 51 words of each pool. *)
let leaves_nothing () =
  let pools = 50 in
  let up_and_down () =
    for _ = 1 to pools do
      with_pool ~name:"leak" 1 (fun pool -> Task.run pool ignore)
    done
  in
  Leak.check "words" ~limit:(25 * pools) Leak.live_words up_and_down

(* Promises *)

let rec fib pool n =
  if n < 2 then n
  else
    let a = Task.async pool (fun () -> fib pool (n - 1)) in
    let b = Task.async pool (fun () -> fib pool (n - 2)) in
    Task.await pool a + Task.await pool b

let nested_tasks pool = Alcotest.(check int) "fib 15" 610 (fib pool 15)

let failing_task pool =
  Failing.check 1 (fun () -> Task.await pool (Task.async pool (fun () -> Failing.raise_here 1)));
  let waits = Task.async pool (fun () -> Failing.raise_here 2) in
  let deep = Task.async pool (fun () -> Task.await pool waits) in
  Failing.check 2 (fun () -> Task.await pool deep)

(* Domainslib loses it. Nobody collects a promise that is still referred to. *)
let unawaited_failure () =
  let reported = Atomic.make [] in
  let rec report exn backtrace =
    let before = Atomic.get reported in
    if not (Atomic.compare_and_set reported before (exn :: before)) then report exn backtrace
  in
  Drover.Promise.on_unawaited_failure report;
  let number n = Failing.Failed (100 + n) in
  let fail n pool = Task.async pool (fun () -> Failing.raise_here (100 + n)) in
  let kept = List.map (fun n -> with_pool n (fail n)) sizes in
  let check n (_ : unit Task.promise) =
    let same = List.filter (( = ) (number n)) (Atomic.get reported) in
    Alcotest.(check int) "reports" 1 (List.length same)
  in
  List.iter2 check sizes kept

let failing_run pool = Failing.check 3 (fun () -> Task.run pool (fun () -> Failing.raise_here 3))

(* As in Domainslib, the caller does not hand its task over. *)
let run_in_place () =
  let here = Domain.self () in
  let test pool =
    for i = 1 to 100 do
      let n = Task.run pool (fun () -> if Domain.self () = here then i else 0) in
      Alcotest.(check int) "on the caller's domain" i n
    done
  in
  on_each test ()

let nested_run pool =
  let n = Task.run pool (fun () -> 1 + Task.run pool (fun () -> fib pool 5)) in
  Alcotest.(check int) "value" 6 n

let run_another inner pool = Alcotest.(check int) "value" 5 (Task.run inner (fun () -> fib pool 5))
let two_pools () = with_pool 1 (fun inner -> in_each (run_another inner) ())

let everything_from (place : Place.t) =
  on_each (fun pool ->
      place.call (fun () ->
          let promise = Task.async pool (fun () -> fib pool 5) in
          Alcotest.(check int) "await" 5 (Task.await pool promise);
          Alcotest.(check int) "run" 5 (Task.run pool (fun () -> fib pool 5));
          let sum = Task.parallel_for_reduce ~start:1 ~finish:100 ~body:Fun.id pool ( + ) 0 in
          Alcotest.(check int) "reduce" 5050 sum;
          let scanned = Task.parallel_scan pool ( + ) [| 1; 2; 3 |] in
          Alcotest.(check (array int)) "scan" [| 1; 3; 6 |] scanned))

let settled_promise pool =
  let promise, set = Task.promise () in
  let waits = Task.async pool (fun () -> Task.await pool promise) in
  Stranger.thread (fun () -> set 7) ();
  Alcotest.(check int) "value" 7 (Task.await pool waits);
  match set 8 with
  | () -> Alcotest.fail "set twice"
  | exception Failure _ -> Alcotest.(check int) "the first stays" 7 (Task.await pool promise)

(* The only task sleeps until the process has used no processor for a while: Domainslib's caller
   spins meanwhile, and so for ever. *)
let waiting_sleeps () =
  let rec until_at_rest () =
    let before = Sys.time () in
    Unix.sleepf 0.2;
    if Sys.time () -. before > 0.02 then until_at_rest ()
  in
  with_pool 1 (fun pool ->
      let sleeper = Task.async pool until_at_rest in
      Task.run pool (fun () -> Task.await pool sleeper))

(* Loops *)

let chunk_sizes = [ None; Some (-1); Some 0; Some 1; Some 7; Some 1000; Some max_int ]

let loop pool =
  let check chunk_size =
    let counts = Array.make 500 0 in
    Task.parallel_for ?chunk_size ~start:100 ~finish:499
      ~body:(fun i -> counts.(i) <- counts.(i) + 1)
      pool;
    Alcotest.(check (array int))
      "each once"
      (Array.init 500 (fun i -> Bool.to_int (i >= 100)))
      counts
  in
  List.iter check chunk_sizes

let empty_loops pool =
  let body _ = Alcotest.fail "an empty loop has an iteration" in
  let check chunk_size =
    Task.parallel_for ?chunk_size ~start:0 ~finish:(-1) ~body pool;
    Task.parallel_for ?chunk_size ~start:5 ~finish:(-5) ~body pool;
    let r = Task.parallel_for_reduce ?chunk_size ~start:0 ~finish:(-1) ~body pool ( + ) 42 in
    Alcotest.(check int) "init" 42 r;
    let found = Task.parallel_find ?chunk_size ~start:0 ~finish:(-1) ~body pool in
    Alcotest.(check (option int)) "nothing" None found
  in
  List.iter check chunk_sizes

(* On one domain the iterations come in order. *)
let failing_loop () =
  with_pool 0 (fun pool ->
      let ran = ref 0 in
      let body i =
        incr ran;
        if i = 3 then Failing.raise_here 4
      in
      Failing.check 4 (fun () -> Task.parallel_for ~start:0 ~finish:9 ~body pool);
      Alcotest.(check int) "iterations" 4 !ran)

let nothing_runs_after_a_failure pool =
  let running = Atomic.make 0 in
  let body i =
    Atomic.incr running;
    Fun.protect
      (fun () -> if i = 500 then Failing.raise_here 5 else ignore (fib pool 3))
      ~finally:(fun () -> Atomic.decr running)
  in
  let is_over () = Alcotest.(check int) "iterations in progress" 0 (Atomic.get running) in
  List.iter
    (fun chunk_size ->
      Failing.check 5 (fun () -> Task.parallel_for ?chunk_size ~start:0 ~finish:999 ~body pool);
      is_over ();
      let reduce_body i =
        body i;
        1
      in
      Failing.check 5 (fun () ->
          Task.parallel_for_reduce ?chunk_size ~start:0 ~finish:999 ~body:reduce_body pool ( + ) 0);
      is_over ();
      let find_body i =
        body i;
        None
      in
      Failing.check 5 (fun () ->
          Task.parallel_find ?chunk_size ~start:0 ~finish:999 ~body:find_body pool);
      is_over ())
    chunk_sizes

let failing_operator pool =
  let op a b = if a + b > 4000 then Failing.raise_here 6 else a + b in
  Failing.check 6 (fun () -> Task.parallel_for_reduce ~start:0 ~finish:99 ~body:Fun.id pool op 0);
  Failing.check 6 (fun () ->
      Task.parallel_scan pool (fun a _ -> Failing.raise_here a) (Array.make 100 6))

let find_some pool =
  let check chunk_size =
    let body i = if i mod 100 = 99 then Some (i * i) else None in
    (match Task.parallel_find ?chunk_size ~start:0 ~finish:1000 ~body pool with
    | Some square ->
        let root = int_of_float (sqrt (float square)) in
        Alcotest.(check (option int)) "some that the body finds" (Some square) (body root)
    | None -> Alcotest.fail "not found");
    let none = Task.parallel_find ?chunk_size ~start:0 ~finish:98 ~body pool in
    Alcotest.(check (option int)) "none" None none
  in
  List.iter check chunk_sizes

let nested_loops pool =
  let sum = Atomic.make 0 in
  Task.parallel_for ~start:1 ~finish:20 pool ~body:(fun i ->
      Task.parallel_for ~start:1 ~finish:i pool ~body:(fun j ->
          ignore (Atomic.fetch_and_add sum j : int)));
  Alcotest.(check int) "sum" 1540 (Atomic.get sum)

let everywhere name test = Watchdog.case name (in_each test)

(* As Domainslib groups: halves, down to chunks; by default of an eighth of a domain's share. *)
let grouping () =
  let combine a b = "(" ^ a ^ b ^ ")" in
  let rec expected chunk lo hi =
    if hi - lo < chunk then
      List.fold_left
        (fun acc i -> combine acc (string_of_int i))
        (string_of_int lo)
        (List.init (hi - lo) (fun i -> lo + 1 + i))
    else
      let middle = lo + ((hi - lo) / 2) in
      combine (expected chunk lo middle) (expected chunk (middle + 1) hi)
  in
  List.iter
    (fun domains ->
      let pool = Task.setup_pool ~num_domains:(domains - 1) () in
      let reduce ?chunk_size n =
        let body i =
          if i land 15 = 0 then Unix.sleepf 1e-5;
          string_of_int i
        in
        Task.run pool (fun () ->
            Task.parallel_for_reduce ?chunk_size ~start:1 ~finish:n ~body pool combine "-")
      in
      List.iter
        (fun n ->
          let default = if domains = 1 then n else Int.max 1 (n / (8 * domains)) in
          let check chunk result =
            Alcotest.(check string) "grouped" (combine "-" (expected chunk 1 n)) result
          in
          check default (reduce n);
          check 7 (reduce ~chunk_size:7 n))
        [ 1; 2; 10; 100; 333 ];
      Task.teardown_pool pool)
    [ 1; 2; 4 ]

(* Both ends of the integers, and an interval that is empty though its length is not negative. *)
let ends () =
  let pool = Task.setup_pool ~num_domains:1 () in
  let run f = Task.run pool f in
  let check (start, finish, n) =
    let body count i =
      if i < start || i > finish then Alcotest.failf "called with %d" i;
      Atomic.incr count
    in
    let counted loop =
      let count = Atomic.make 0 in
      run (fun () -> loop (body count));
      Alcotest.(check int) "iterations" n (Atomic.get count)
    in
    List.iter
      (fun chunk_size ->
        counted (fun body -> Task.parallel_for ~chunk_size ~start ~finish ~body pool);
        counted (fun body ->
            Task.parallel_for_reduce ~chunk_size ~start ~finish ~body pool (fun () () -> ()) ());
        counted (fun body ->
            let body i =
              body i;
              None
            in
            ignore (Task.parallel_find ~chunk_size ~start ~finish ~body pool : unit option)))
      [ 0; 1; 3; max_int ]
  in
  List.iter check
    [
      (max_int, min_int, 0);
      (max_int - 9, max_int, 10);
      (max_int, max_int, 1);
      (min_int, min_int + 9, 10);
      (min_int, min_int, 1);
      (5, 4, 0);
    ];
  Task.teardown_pool pool

let () =
  Alcotest.run "unit domainslib task"
    [
      ( "pools",
        [
          Watchdog.case "size" size;
          Watchdog.case "more domains than there are" too_large;
          Watchdog.case "names" names;
          Watchdog.case "two of one name" same_name;
          Watchdog.case "torn down" torn_down;
          Watchdog.case "torn down from inside" teardown_inside;
          Watchdog.case "teardown waits for tasks" teardown_waits;
          Watchdog.case "pools leave nothing behind" leaves_nothing;
          Watchdog.case "random numbers" random_numbers;
        ] );
      ( "promises",
        [
          everywhere "nested tasks" nested_tasks;
          everywhere "a task that raises" failing_task;
          Watchdog.case "a failure that nobody awaits" unawaited_failure;
          Watchdog.case "a run that raises" (on_each failing_run);
          Watchdog.case "a run begins on the caller's domain" run_in_place;
          Watchdog.case "a run inside a run" (on_each nested_run);
          Watchdog.case "a run inside another pool's" two_pools;
          everywhere "a promise of one's own" settled_promise;
          Watchdog.case "a caller that waits sleeps" waiting_sleeps;
        ] );
      ( "everything from",
        List.map (fun (p : Place.t) -> Watchdog.case p.name (everything_from p)) Place.all );
      ( "loops",
        [
          everywhere "every iteration once" loop;
          everywhere "empty" empty_loops;
          everywhere "nested" nested_loops;
          Watchdog.case "what has not started is skipped" failing_loop;
          everywhere "nothing runs after a failure" nothing_runs_after_a_failure;
          everywhere "an operator that raises" failing_operator;
          everywhere "find" find_some;
          Watchdog.case "grouped as by Domainslib" grouping;
          Watchdog.case "at the ends of the integers" ends;
        ] );
    ]
