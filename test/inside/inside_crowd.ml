(* Whoever stands by leaves nothing undone, whenever it is told to and whenever it comes back. *)

open Test_support

let with_pool ?(domains = 2) f () =
  let pool = Pool.create ~domains ~adaptive:false () in
  Fun.protect (fun () -> f pool) ~finally:(fun () -> Pool.close pool)

let only_one (pool : Worker.team) = pool.active <- 1
let all (pool : Worker.team) = pool.active <- max_int

let rec fib n =
  if n < 2 then n
  else
    let a, b = Fork_join.both (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
    a + b

let sum n =
  let body i =
    ignore (Sys.opaque_identity (ref i));
    i
  in
  Drover.parallel_reduce ~start:1 ~finish:n ~init:0 ~combine:( + ) body

let promises n = List.init n (fun i -> Pool.async (fun () -> fib (i land 7)))

let program () =
  Alcotest.(check int) "fib" 6765 (fib 20);
  Alcotest.(check int) "sum" 50_005_000 (sum 10_000);
  let expected = List.init 100 (fun i -> List.nth [ 0; 1; 1; 2; 3; 5; 8; 13 ] (i land 7)) in
  Alcotest.(check (list int)) "promises" expected (List.map Promise.await (promises 100))

let alone pool =
  only_one pool;
  for _ = 1 to 20 do
    Pool.run pool program
  done

(* Others come and go while the program runs. *)
let coming_and_going pool =
  let is_over = Atomic.make false in
  let rec change () =
    if not (Atomic.get is_over) then begin
      only_one pool;
      Thread.delay 0.0007;
      all pool;
      Thread.delay 0.0003;
      change ()
    end
  in
  let thread = Thread.create change () in
  let finally () =
    Atomic.set is_over true;
    Thread.join thread
  in
  Fun.protect ~finally (fun () ->
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

(* With nobody inside, no other worker is awake. *)
let from_outside pool =
  only_one pool;
  let task = Pool.async_in pool (fun () -> fib 10) in
  while not (Promise.is_settled task) do
    Thread.delay 0.001
  done

let () =
  let on_each name f =
    let on domains =
      Watchdog.case (Printf.sprintf "%s, %d domains" name domains) (with_pool ~domains f)
    in
    (name, List.map on [ 2; 4; 8 ])
  in
  Alcotest.run "inside crowd"
    [
      on_each "one works" alone;
      on_each "others come and go" coming_and_going;
      on_each "one waits for another" waited_for;
      on_each "nobody is inside" from_outside;
    ]
