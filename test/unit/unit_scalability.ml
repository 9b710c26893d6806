(* Work and span of programs for which they are known in closed form. Time is what the programs say
   that they spend. *)

open Test_support
module S = Drover.Scalability

let now = ref 0
let spend n = now := !now + n
let steal = 100

let measure f =
  let value, m = S.measure ~steal:(float steal *. 1e-9) ~clock:(fun () -> !now) f in
  (value, m)

let ns seconds = int_of_float (Float.round (seconds *. 1e9))

let check ?burdened ~work ~span f () =
  let (), m = measure f in
  Alcotest.(check int) "work" work (ns m.work);
  Alcotest.(check int) "span" span (ns m.span);
  Option.iter (fun b -> Alcotest.(check int) "burdened span" b (ns m.burdened_span)) burdened

(* Programs *)

let fork () =
  spend 2;
  ignore (Drover.both (fun () -> spend 30) (fun () -> spend 50) : unit * unit);
  spend 3

(* A node takes 1, and a join 1 more: as many as there are calls and forks. *)
let rec fib n =
  spend 1;
  if n < 2 then n
  else
    let a, b = Drover.both (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
    spend 1;
    a + b

let rec forks_of_fib n = if n < 2 then 0 else 1 + forks_of_fib (n - 1) + forks_of_fib (n - 2)

(* T(n) = 2 T(n/2) + n, where S(n) = S(n/2) + n. *)
let rec merge_sort n =
  if n > 1 then begin
    ignore (Drover.both (fun () -> merge_sort (n / 2)) (fun () -> merge_sort (n / 2)) : unit * unit);
    spend n
  end

let loop n () = Drover.parallel_for ~start:1 ~finish:n (fun i -> spend (1000 * i))
let small_loop () = Drover.parallel_for ~start:1 ~finish:8 (fun _ -> spend 1)

let nested () =
  Drover.parallel_for ~start:1 ~finish:4 (fun _ ->
      Drover.parallel_for ~start:1 ~finish:16 (fun _ -> spend 10);
      spend 5)

(* The longest piece is a quarter of the first 41, and then each a 256th of the rest. *)
let range () = Drover.parallel_range ~start:1 ~finish:2602 (fun lo hi -> spend (hi - lo + 1))

(* As far ahead of its consumer as many workers would be. *)
let sequence () =
  Stdlib.Seq.iter ignore (Drover.Seq.map (fun _ -> spend 10) (Stdlib.Seq.init 100 Fun.id))

let reduce () =
  let combine a b =
    spend 7;
    a + b
  in
  let f i =
    spend 20;
    i
  in
  let sum = Drover.parallel_reduce ~start:1 ~finish:64 ~init:0 ~combine f in
  Alcotest.(check int) "sum" 2080 sum

let async () =
  let p = Drover.async (fun () -> spend 50) in
  spend 20;
  Drover.await p;
  spend 1

(* The task has ended before anybody waits for it. *)
let await_later () =
  let p = Drover.async (fun () -> spend 50) in
  Drover.await (Drover.async ignore);
  spend 20;
  Drover.await p;
  Drover.await p;
  spend 1

let unawaited () =
  ignore (Drover.async (fun () -> spend 50) : unit Drover.Promise.t);
  spend 20

(* Each stage waits for the one before it. *)
let pipeline () =
  let rec stage n before =
    if n = 0 then Drover.await before
    else
      stage (n - 1)
        (Drover.async (fun () ->
             spend 10;
             Drover.await before;
             spend 5))
  in
  stage 20 (Drover.Promise.of_value ())

let settled_by_hand () =
  let promise, resolver = Drover.Promise.create () in
  let fulfil () =
    spend 40;
    Drover.Promise.fulfil resolver ();
    spend 100
  in
  let wait () =
    spend 1;
    Drover.await promise;
    spend 30
  in
  ignore (Drover.both wait fulfil : unit * unit)

let ping_pong () =
  let ping = Drover.Chan.rendezvous () and pong = Drover.Chan.rendezvous () in
  let play own other () =
    for _ = 1 to 10 do
      Drover.Chan.recv own;
      spend 5;
      Drover.Chan.send other ()
    done
  in
  ignore
    (Drover.all
       [
         play ping pong;
         (fun () ->
           for _ = 1 to 10 do
             Drover.Chan.send ping ();
             Drover.Chan.recv pong
           done);
       ]
      : unit list)

let caught () =
  let fails () =
    spend 10;
    failwith "here"
  in
  (try ignore (Drover.both fails (fun () -> spend 1000) : unit * unit) with Failure _ -> spend 2);
  spend 3

(* On a domain of its own, so that what is spent there may count twice. *)
let other_pool () =
  let fork () =
    let pool = Drover.Pool.create ~domains:3 () in
    Alcotest.(check int) "one worker" 1 (Drover.Pool.size pool);
    Drover.Pool.run pool (fun () ->
        ignore (Drover.both (fun () -> spend 10) (fun () -> spend 10) : unit * unit));
    Drover.Pool.close pool
  in
  let (), m = measure fork in
  Alcotest.(check bool) "seen" true (List.exists (fun (s : S.site) -> s.calls > 0) m.sites)

(* The tasks of [run] and of pools are in the place of their callers. *)
let called () =
  let (), m =
    measure (fun () ->
        Drover.run (fun () -> spend 10);
        Drover.Pool.run (Drover.Pool.default ()) (fun () -> spend 20))
  in
  Alcotest.(check (float 1e-9)) "outside" 1. (S.outside m)

(* The task in which the default pool runs a loop for its caller is no call of its own. *)
let loop_from_outside () =
  let loop () = Drover.parallel_for ~start:1 ~finish:4 (fun _ -> spend 10) in
  let (), m = measure (fun () -> Domain.join (Domain.spawn loop)) in
  let calls = List.filter (( <> ) 0) (List.map (fun (s : S.site) -> s.calls) m.sites) in
  Alcotest.(check (list int)) "calls" [ 1 ] calls

let structures () =
  let keys = Array.init 1000 (fun i -> i * 7919 mod 1009) in
  let sorted = Array.copy keys in
  Drover.Array.sort Int.compare sorted;
  let expected = Array.copy keys in
  Array.sort Int.compare expected;
  Alcotest.(check (array int)) "sorted" expected sorted

(* Cheap iterations. Here a look at the clock takes time, too. *)

let looks = ref 0

let measure_looking f =
  looks := 0;
  let clock () =
    incr looks;
    spend 25;
    !now
  in
  S.measure ~clock (fun () ->
      looks := 0;
      f ();
      !looks)

let about = Alcotest.(check (float 0.02))

let cheap_loop () =
  let n = 100_000 in
  let looks, m =
    measure_looking (fun () -> Drover.parallel_for ~start:1 ~finish:n (fun _ -> spend 8))
  in
  Alcotest.(check bool) "few looks" true (looks < n / 50);
  about "work" 1. (m.work /. (8e-9 *. float n));
  Alcotest.(check bool) "span" true (ns m.span < 1000);
  (* Beside them there is what a call and steps cost. *)
  let measuring = ns m.measuring in
  Alcotest.(check bool) "measuring" true (25 * looks <= measuring && measuring < 30 * looks)

(* One long iteration among short ones is the span; many long ones behind short ones are not. *)
let uneven () =
  let span cost =
    let _, m =
      measure_looking (fun () ->
          Drover.parallel_for ~start:1 ~finish:10_000 (fun i -> spend (cost i)))
    in
    float (ns m.span)
  in
  about "one is long" 1. (span (fun i -> if i = 5000 then 1_000_000 else 2) /. 1e6);
  about "half are long" 1. (span (fun i -> if i < 5000 then 2 else 100_000) /. 1e5);
  about "each tenth is long" 1. (span (fun i -> if i mod 10 = 0 then 100_000 else 2) /. 1e5)

(* A fork in an iteration that follows cheap ones. *)
let fork_among_cheap () =
  let body i =
    if i < 1000 then spend 8
    else ignore (Drover.both (fun () -> spend 100_000) (fun () -> spend 100_000) : unit * unit)
  in
  let _, m = measure_looking (fun () -> Drover.parallel_for ~start:1 ~finish:1010 body) in
  about "work" 1. (float (ns m.work) /. 2_208_000.);
  about "span" 1. (float (ns m.span) /. 1e5)

let cheap_reduction () =
  let n = 100_000 in
  let combine a b =
    spend 4;
    a + b
  and f i =
    spend 4;
    i
  in
  let sum () = ignore (Drover.parallel_reduce ~start:1 ~finish:n ~init:0 ~combine f : int) in
  let looks, m = measure_looking sum in
  Alcotest.(check bool) "few looks" true (looks < n / 25);
  about "work" 1. (m.work /. (8e-9 *. float n));
  Alcotest.(check bool) "span" true (ns m.span < 2000)

(* Those of loops that call a function for each; as far as they have come. *)
let iterations () =
  let check what expected f =
    let (), m = measure f in
    let count = List.fold_left (fun n (s : S.site) -> n + s.iterations) 0 m.sites in
    Alcotest.(check int) what expected count
  and start = 1
  and finish = 5000 in
  let work _ = spend 1
  and interval lo hi = spend (hi - lo)
  and forks _ = ignore (Drover.both (fun () -> spend 1) (fun () -> spend 1) : unit * unit)
  and stops_at n i = if i = n then Some i else None
  and merge () () = () in
  let combine = merge and init = () in
  check "for" 5000 (fun () -> Drover.parallel_for ~start ~finish work);
  check "that fork" 5000 (fun () -> Drover.parallel_for ~start ~finish forks);
  check "reduce" 5000 (fun () -> Drover.parallel_reduce ~start ~finish ~init ~combine work);
  check "fold" 5000 (fun () ->
      Drover.parallel_fold ~start ~finish ~make:ignore ~merge (fun () i -> work i));
  check "find" 2000 (fun () ->
      ignore (Drover.parallel_find_any ~start ~finish (stops_at 2000) : int option));
  check "few" 0 (fun () -> Drover.parallel_for ~start ~finish:900 work);
  check "range" 0 (fun () -> Drover.parallel_range ~start ~finish interval);
  check "reduce_range" 0 (fun () ->
      Drover.parallel_reduce_range ~start ~finish ~init ~combine interval);
  check "fold_range" 0 (fun () ->
      Drover.parallel_fold_range ~start ~finish ~make:ignore ~merge (fun () -> interval))

(* What is said of them *)

let sites () =
  let (), m =
    measure (fun () ->
        spend 100;
        Drover.parallel_for ~start:1 ~finish:4 (fun _ -> spend 10);
        Drover.Array.iter spend [| 50; 60 |];
        spend 0)
  in
  Alcotest.(check (float 1e-9)) "outside" (100. /. 250.) (S.outside m);
  let found = List.map (fun (s : S.site) -> (s.calls, ns s.work, ns s.span)) m.sites in
  Alcotest.(check (list (triple int int int)))
    "the largest first"
    [ (0, 100, 100); (1, 110, 60); (1, 40, 10) ]
    found;
  let ours (s : S.site) = String.starts_with ~prefix:"Unit_scalability.sites" s.place in
  Alcotest.(check (list bool)) "by name" [ false; true; true ] (List.map ours m.sites)

(* What does not fork, by the calls around it. *)
let outside_parts () =
  let call () = Drover.parallel_for ~start:1 ~finish:4 (fun _ -> spend 10) in
  let (), m =
    measure (fun () ->
        spend 100;
        call ();
        spend 20;
        call ();
        spend 3;
        Drover.Array.iter spend [| 50; 60 |];
        spend 7)
  in
  let parts = List.filter S.is_outside m.sites in
  let found = List.map (fun (s : S.site) -> (ns s.work, ns s.span)) parts in
  Alcotest.(check (list (pair int int))) "parts" [ (100, 100); (23, 23); (7, 7) ] found;
  let named (s : S.site) word =
    String.starts_with ~prefix:("outside, " ^ word ^ " Unit_scalability.outside_parts") s.place
  in
  Alcotest.(check (list bool))
    "places" [ true; true; true ]
    (List.map2 named parts [ "before"; "from"; "after" ]);
  Alcotest.(check (float 1e-9)) "outside" (130. /. 320.) (S.outside m)

let failures () =
  Alcotest.check_raises "raised" Exit (fun () -> measure (fun () -> raise Exit) |> fst);
  Alcotest.check_raises "once at a time"
    (Invalid_argument "Drover.Scalability.measure: a measurement is in progress") (fun () ->
      measure (fun () -> measure ignore |> fst) |> fst);
  check ~work:4 ~span:4 (fun () -> spend 4) ();
  Alcotest.(check int) "forks as usual" 55 (Drover.run (fun () -> fib 10))

(* Work 1000, of which a tenth is serial and the rest perfectly parallel. *)
let amdahl : S.t = { work = 1000.; span = 100.; burdened_span = 100.; measuring = 0.; sites = [] }

let predictions () =
  let close = Alcotest.(check (float 1e-9)) in
  let at cores = S.predict amdahl ~cores in
  close "one core" 1. (at 1).likely;
  close "Amdahl's law" (1. /. (0.1 +. (0.9 /. 8.))) (at 8).likely;
  close "few cores" 8. (at 8).upper;
  close "many cores" 10. (at 64).upper;
  close "at least" (1000. /. (125. +. 170.)) (at 8).lower;
  close "parallelism" 10. (S.parallelism amdahl)

(* Real time: no figure can be relied on, but what must hold whatever the machine does. *)
let real () =
  let rec tree n =
    if n = 0 then Sys.opaque_identity ()
    else ignore (Drover.both (fun () -> tree (n - 1)) (fun () -> tree (n - 1)) : unit * unit)
  in
  let (), m = S.measure (fun () -> tree 12) in
  let forks = List.fold_left (fun n (s : S.site) -> n + s.calls) 0 m.sites in
  Alcotest.(check int) "forks" 4095 forks;
  Alcotest.(check bool) "burdened" true (m.burdened_span >= m.span)

(* A callback forks, too, in the middle of a fork that is measured. What it does then may be missed. *)
let forks_within () =
  let law moment =
    let (), { S.work; _ } = measure (fun () -> Interrupted.at moment fork fork) in
    Alcotest.(check bool) "between one fork and two" true (ns work >= 85 && ns work <= 170)
  in
  Alcotest.(check bool) "it was tried" true (Interrupted.at_each law > 0)

let test name f = Watchdog.case name f

let () =
  let fib_nodes n = (2 * forks_of_fib n) + 1 in
  Alcotest.run "scalability"
    [
      ( "forks",
        [
          test "strand" (check ~work:7 ~span:7 ~burdened:7 (fun () -> spend 7));
          test "fork in a callback" forks_within;
          test "fork" (check ~work:85 ~span:55 ~burdened:155 fork);
          test "fib"
            (check
               ~work:(fib_nodes 15 + forks_of_fib 15)
               ~span:((15 * 2) - 1)
               (fun () -> ignore (fib 15 : int)));
          test "merge sort" (check ~work:(1024 * 10) ~span:2046 (fun () -> merge_sort 1024));
          test "failure" (check ~work:15 ~span:15 caught);
        ] );
      ( "loops",
        [
          test "for" (check ~work:136_000 ~span:16_000 ~burdened:16_400 (loop 16));
          test "too small to be offered" (check ~work:8 ~span:1 ~burdened:8 small_loop);
          test "nested" (check ~work:(4 * 165) ~span:15 nested);
          test "range" (check ~work:2602 ~span:10 range);
          test "sequence" (check ~work:1000 ~span:10 sequence);
          test "reduce" (check ~work:((64 * 20) + (64 * 7)) ~span:(20 + (6 * 7) + 7) reduce);
          test "cheap" cheap_loop;
          test "cheap and long" uneven;
          test "forks among cheap ones" fork_among_cheap;
          test "cheap reduction" cheap_reduction;
          test "how many" iterations;
          test "algorithms" (fun () -> ignore (measure structures : unit * S.t));
        ] );
      ( "waits",
        [
          test "async" (check ~work:71 ~span:51 ~burdened:151 async);
          test "await later" (check ~work:71 ~span:51 await_later);
          test "unawaited" (check ~work:70 ~span:50 unawaited);
          test "pipeline" (check ~work:300 ~span:110 pipeline);
          test "promise" (check ~work:171 ~span:140 settled_by_hand);
          test "channels" (check ~work:50 ~span:50 ping_pong);
          test "calls of pools" called;
          test "another pool" other_pool;
          test "a loop from outside" loop_from_outside;
        ] );
      ( "figures",
        [
          test "call sites" sites;
          test "code that does not fork" outside_parts;
          test "failures" failures;
          test "predictions" predictions;
          test "real time" real;
        ] );
    ]
