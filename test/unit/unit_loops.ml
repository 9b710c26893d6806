(* The loops, against [for] on every kind of interval. *)

open Test_support
open Drover.Parallel

let grains = [ None; Some 1; Some 2; Some 3; Some 7; Some max_int ]

(* Around nothing, around zero, and at both ends of the integers. *)
let intervals =
  let small = List.init 20 (fun n -> (1, n)) @ [ (-3, 3); (5, -5); (0, 1000) ] in
  let extreme =
    [
      (max_int, max_int);
      (min_int, min_int);
      (max_int - 10, max_int);
      (min_int, min_int + 10);
      (max_int, min_int);
      (max_int, max_int - 1);
      (min_int + 1, min_int);
    ]
  in
  small @ extreme

let rec expected lo hi =
  if hi < lo then [] else if lo = hi then [ lo ] else lo :: expected (lo + 1) hi

let each_interval test domains () =
  run ~domains (fun () ->
      List.iter
        (fun (start, finish) ->
          List.iter
            (fun grain ->
              let show = Option.fold ~none:"" ~some:(Printf.sprintf ", grain %d") in
              test (Printf.sprintf "%d .. %d%s" start finish (show grain)) grain ~start ~finish)
            grains)
        intervals)

let check_visits what visits start finish =
  let visits = List.sort compare (Atomic.get visits) in
  Alcotest.(check (list int)) what (expected start finish) visits

let rec visit visits i =
  let before = Atomic.get visits in
  if not (Atomic.compare_and_set visits before (i :: before)) then visit visits i

let for_ what grain ~start ~finish =
  let visits = Atomic.make [] in
  parallel_for ?grain ~start ~finish (visit visits);
  check_visits what visits start finish

let range what grain ~start ~finish =
  let visits = Atomic.make [] in
  parallel_range ?grain ~start ~finish (fun lo hi ->
      if hi < lo then Alcotest.failf "%s: an empty piece" what;
      List.iter (visit visits) (expected lo hi));
  check_visits what visits start finish

(* Concatenation does not commute, and shows where [init] was used. *)
let reduce what grain ~start ~finish =
  let found = parallel_reduce ?grain ~start ~finish ~init:[ -1 ] ~combine:( @ ) (fun i -> [ i ]) in
  Alcotest.(check (list int)) what (-1 :: expected start finish) found

let reduce_range what grain ~start ~finish =
  let found = parallel_reduce_range ?grain ~start ~finish ~init:[ -1 ] ~combine:( @ ) expected in
  Alcotest.(check (list int)) what (-1 :: expected start finish) found

(* Others come and take parts, and parts of these. *)
let parts_in_order () =
  let iteration i =
    Unix.sleepf 2e-4;
    [ i ]
  in
  run ~domains:4 (fun () ->
      for _ = 1 to 20 do
        let found = parallel_reduce ~start:0 ~finish:199 ~init:[] ~combine:( @ ) iteration in
        Alcotest.(check (list int)) "in order" (expected 0 199) found
      done)

(* Each state takes what its run has, the latest first. How many were made, and what they have. *)
let states fold =
  let made = Atomic.make 0 in
  let make () =
    Atomic.incr made;
    ref []
  and merge left right =
    left := !right @ !left;
    left
  in
  let found = fold ~make ~merge in
  (Atomic.get made, List.rev !found)

let note items i =
  items := i :: !items;
  items

let fold what grain ~start ~finish =
  let _, found =
    states (fun ~make ~merge -> parallel_fold ?grain ~start ~finish ~make ~merge note)
  in
  Alcotest.(check (list int)) what (expected start finish) found

let fold_range what grain ~start ~finish =
  let step items lo hi =
    if hi < lo then Alcotest.failf "%s: an empty piece" what;
    List.fold_left note items (expected lo hi)
  in
  let fold ~make ~merge = parallel_fold_range ?grain ~start ~finish ~make ~merge step in
  Alcotest.(check (list int)) what (expected start finish) (snd (states fold))

(* Where nobody steals, although the steps are loops; and if there is nothing to do. *)
let one_state () =
  let step items i =
    parallel_for ~start:1 ~finish:10 ignore;
    note items i
  in
  let check finish =
    let made, found =
      states (fun ~make ~merge -> parallel_fold ~start:1 ~finish ~make ~merge step)
    in
    Alcotest.(check int) "states" 1 made;
    Alcotest.(check int) "iterations" finish (List.length found)
  in
  run ~domains:1 (fun () -> List.iter check [ 0; 1; 2; 1000; 100_000 ])

let find what grain ~start ~finish =
  let all = expected start finish in
  let is_wanted i = i land 3 = 1 in
  let found =
    parallel_find_any ?grain ~start ~finish (fun i -> if is_wanted i then Some i else None)
  in
  let right =
    match found with
    | None -> not (List.exists is_wanted all)
    | Some i -> is_wanted i && List.mem i all
  in
  if not right then Alcotest.fail what;
  let first = parallel_find_first ~start ~finish (fun i -> if is_wanted i then Some i else None) in
  Alcotest.(check (option int)) what (List.find_opt is_wanted all) first;
  let none = parallel_find_any ?grain ~start ~finish (fun _ : unit option -> None) in
  Alcotest.(check (option unit)) what None none

(* All integers: the lengths add up to 2^63, which is 0. *)
let every_integer () =
  run ~domains:2 (fun () ->
      let start = min_int and finish = max_int in
      let length lo hi = hi - lo + 1 in
      Alcotest.(check int)
        "pieces" 0
        (parallel_reduce_range ~start ~finish ~init:0 ~combine:( + ) length);
      Alcotest.(check int)
        "one piece" 0
        (parallel_reduce_range ~grain:max_int ~start ~finish ~init:0 ~combine:( + ) length);
      let behind n i = if i >= n then Some i else None in
      let first start finish n = parallel_find_first ~start ~finish (behind n) in
      Alcotest.(check (option int))
        "first of all"
        (Some (start + 99))
        (first start finish (start + 99));
      Alcotest.(check (option int)) "near the end" (Some finish) (first (finish - 9) finish finish);
      Alcotest.(check (option int)) "at the start" None (first start (start + 9) 0);
      match parallel_find_any ~start ~finish Option.some with
      | Some _ -> ()
      | None -> Alcotest.fail "nothing found")

let misuse () =
  List.iter
    (fun (start, finish) ->
      List.iter
        (fun grain ->
          Failing.misuse "Drover.parallel_for: " (fun () ->
              parallel_for ~grain ~start ~finish ignore);
          Failing.misuse "Drover.parallel_range: " (fun () ->
              parallel_range ~grain ~start ~finish (fun _ _ -> ()));
          Failing.misuse "Drover.parallel_reduce: " (fun () ->
              parallel_reduce ~grain ~start ~finish ~init:0 ~combine:( + ) Fun.id);
          Failing.misuse "Drover.parallel_reduce_range: " (fun () ->
              parallel_reduce_range ~grain ~start ~finish ~init:0 ~combine:( + ) ( + ));
          Failing.misuse "Drover.parallel_collect: " (fun () ->
              parallel_collect ~grain ~start ~finish (fun i push -> push i));
          Failing.misuse "Drover.parallel_fold: " (fun () ->
              parallel_fold ~grain ~start ~finish ~make:ignore
                ~merge:(fun () () -> ())
                (fun () _ -> ()));
          Failing.misuse "Drover.parallel_fold_range: " (fun () ->
              parallel_fold_range ~grain ~start ~finish ~make:ignore
                ~merge:(fun () () -> ())
                (fun () _ _ -> ()));
          Failing.misuse "Drover.parallel_find_any: " (fun () ->
              parallel_find_any ~grain ~start ~finish Option.some))
        [ 0; -1; min_int ])
    [ (1, 10); (1, 0) ]

let nested () =
  let sum = Atomic.make 0 in
  run ~domains:4 (fun () ->
      parallel_for ~start:1 ~finish:10 (fun i ->
          parallel_for ~start:1 ~finish:10 (fun j ->
              let add, () =
                both
                  (fun () ->
                    parallel_reduce ~start:1 ~finish:10 ~init:0 ~combine:( + ) (fun k -> i * j * k))
                  ignore
              in
              ignore (Atomic.fetch_and_add sum add : int))));
  Alcotest.(check int) "sum" (55 * 55 * 55) (Atomic.get sum)

(* Each iteration waits for the next one, so all of them are open at the same time. *)
let suspend domains () =
  let n = 1000 in
  let promises = Array.init (n + 1) (fun _ -> Promise.create ()) in
  run ~domains (fun () ->
      parallel_for ~grain:1 ~start:0 ~finish:n (fun i ->
          if i < n then await (fst promises.(i + 1));
          Promise.fulfil (snd promises.(i)) ()));
  Alcotest.(check bool) "the first" true (Promise.is_settled (fst promises.(0)))

(* Each iteration suspends now and then, while thieves take halves of the loop. *)
let suspend_often domains () =
  let n = 20_000 in
  let runs = Array.init n (fun _ -> Atomic.make 0) in
  let iteration every i =
    if i mod every = 0 then await (async ignore);
    Atomic.incr runs.(i)
  in
  let once what times =
    Array.iteri
      (fun i runs ->
        Stranger.expect (Printf.sprintf "%s, runs of %d" what i) times (Atomic.get runs))
      runs
  in
  run ~domains (fun () ->
      List.iteri
        (fun i every ->
          parallel_for ~start:0 ~finish:(n - 1) (iteration every);
          once (Printf.sprintf "each %d suspends" every) (i + 1))
        [ 1; 2; 50; 1000 ])

let fail_after_suspending domains () =
  run ~domains (fun () ->
      for failing = 0 to 50 do
        Failing.check failing (fun () ->
            parallel_for ~start:0 ~finish:50 (fun i ->
                await (async ignore);
                if i = failing then Failing.raise_here i))
      done)

(* A failure ends the iterations that wait for what never comes. *)
let fail_beside_suspended domains () =
  run ~domains (fun () ->
      for failing = 0 to 20 do
        let never, _ = Promise.create () in
        Failing.check failing (fun () ->
            parallel_for ~start:0 ~finish:20 (fun i ->
                if i = failing then Failing.raise_here i else await never))
      done)

let cancel_suspended domains () =
  run ~domains (fun () ->
      let never, _ = Promise.create () in
      match
        Scope.run (fun scope ->
            Scope.spawn scope (fun () -> parallel_for ~start:0 ~finish:20 (fun _ -> await never));
            Scope.spawn scope (fun () -> await (async (fun () -> raise Exit))))
      with
      | () -> Alcotest.fail "nothing is raised"
      | exception Exit -> ())

(* Iterations wait a hundred together. When they have ended they leave nothing behind while the loop
   goes on. *)
let suspend_and_end () =
  let n = 100_000 in
  let hundreds = Array.init ((n / 100) + 1) (fun _ -> Promise.create ()) in
  let live_words () = (Gc.stat ()).live_words in
  let before = ref 0 and at_end = ref 0 in
  run ~domains:1 (fun () ->
      parallel_for ~start:1 ~finish:n (fun i ->
          if i = 1 then before := live_words ();
          let all, tell = hundreds.(i / 100) in
          if i mod 100 = 99 then Promise.fulfil tell ();
          if i < n then await all else at_end := live_words ()));
  Alcotest.(check bool) "less than 5 words each" true (!at_end - !before < 5 * n)

let from_anywhere (place : Place.t) () =
  place.call (fun () ->
      for_ "for" None ~start:1 ~finish:50;
      reduce "reduce" None ~start:1 ~finish:50;
      find "find" None ~start:1 ~finish:50)

let () =
  let on_each name test =
    List.map (fun n -> Watchdog.case (Printf.sprintf "%s, %d domains" name n) (test n)) [ 1; 2; 4 ]
  in
  Alcotest.run "unit loops"
    [
      ( "results",
        on_each "for" (each_interval for_)
        @ on_each "range" (each_interval range)
        @ on_each "reduce" (each_interval reduce)
        @ on_each "reduce_range" (each_interval reduce_range)
        @ on_each "fold" (each_interval fold)
        @ on_each "fold_range" (each_interval fold_range)
        @ on_each "find" (each_interval find)
        @ [
            Watchdog.case "parts in order" parts_in_order;
            Watchdog.case "one state" one_state;
            Watchdog.case "every integer" every_integer;
            Watchdog.case "misuse" misuse;
          ] );
      ("places", List.map (fun (p : Place.t) -> Watchdog.case p.name (from_anywhere p)) Place.all);
      ( "composition",
        Watchdog.case "nested" nested
        :: Watchdog.case "suspended iterations are left" suspend_and_end
        :: on_each "suspended" suspend
        @ on_each "suspended often" suspend_often
        @ on_each "failing later" fail_after_suspending
        @ on_each "failing beside suspended" fail_beside_suspended
        @ on_each "cancelled" cancel_suspended );
    ]
