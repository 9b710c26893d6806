(* [both] and [all]: results, failures, and what they wait for. *)

open Test_support

let results (place : Place.t) () =
  place.call (fun () ->
      Alcotest.(check (pair int string)) "both" (1, "a") (Drover.both (fun () -> 1) (fun () -> "a"));
      Alcotest.(check int) "fib" 610 (Fib.fib 15);
      List.iter
        (fun n ->
          let squares = List.init n (fun i -> i * i) in
          let tasks = List.init n (fun i () -> i * i) in
          Alcotest.(check (list int)) (Printf.sprintf "all, %d" n) squares (Drover.all tasks))
        [ 0; 1; 2; 3; 100 ])

(* Every sequence of four places, each in a task of the one before. *)
let nested () =
  let rec nest depth names =
    if depth = 0 then Alcotest.(check int) (String.concat " in " names) 55 (Fib.fib 10)
    else
      List.iter
        (fun (place : Place.t) ->
          let names = place.name :: names in
          place.call (fun () -> ignore (Drover.both (fun () -> nest (depth - 1) names) ignore)))
        Place.few
  in
  nest 4 []

(* Failures *)

let fails (place : Place.t) () =
  place.call (fun () ->
      Failing.check 1 (fun () -> Drover.both (fun () -> Failing.raise_here 1) ignore);
      Failing.check 2 (fun () -> Drover.both ignore (fun () -> Failing.raise_here 2));
      Failing.check 3 (fun () -> Drover.all [ ignore; (fun () -> Failing.raise_here 3); ignore ]);
      Failing.check 4 (fun () -> Drover.all [ (fun () -> Failing.raise_here 4) ]);
      Failing.check 5 (fun () ->
          Drover.both (fun () -> snd (Drover.both ignore (fun () -> Failing.raise_here 5))) ignore);
      Alcotest.(check int) "works on" 55 (Fib.fib 10))

(* On one domain [g] cannot have started when [f] raises. *)
let skips () =
  let ran = ref [] in
  let note i = ran := i :: !ran in
  Drover.run ~domains:1 (fun () ->
      Failing.check 1 (fun () -> Drover.both (fun () -> Failing.raise_here 1) (fun () -> note 1));
      let task i () = if i = 2 then Failing.raise_here 2 else note i in
      Failing.check 2 (fun () -> Drover.all (List.init 6 task)));
  Alcotest.(check (list int)) "what ran" [ 0; 1 ] (List.rev !ran)

(* The first piece waits when the second has failed, so the worker comes to the others by itself. *)
let skips_while_one_waits () =
  let failed = ref false and late = ref 0 in
  Drover.run ~domains:1 (fun () ->
      let go, r = Drover.Promise.create () in
      let fulfil () =
        Thread.delay 0.02;
        Drover.Promise.fulfil r ()
      in
      let foreign = Thread.create fulfil () in
      let fail () =
        failed := true;
        Failing.raise_here 1
      and other () = if !failed then incr late in
      let waiting () = Drover.await go in
      Failing.check 1 (fun () -> Drover.all (waiting :: fail :: List.init 6 (fun _ -> other)));
      Thread.join foreign);
  Alcotest.(check int) "pieces that started after the failure" 0 !late

(* Failures are results, and none is skipped. *)
let settles (place : Place.t) () =
  place.call (fun () ->
      let task i () = if i mod 3 = 2 then Failing.raise_here i else i in
      let check i = function
        | Ok found -> Alcotest.(check int) "value" i found
        | Error (exn, backtrace) ->
            Alcotest.(check bool) "failure" true (i mod 3 = 2 && exn = Failing.Failed i);
            Alcotest.(check bool) "backtrace" true (Failing.names "raise_here" backtrace)
      in
      List.iter
        (fun n -> List.iteri check (Drover.all_settled (List.init n task)))
        [ 0; 1; 2; 3; 100 ])

(* To be cancelled by the one who awaits is no result. *)
let settled_is_cancelled domains () =
  Drover.run ~domains (fun () ->
      let started, tell = Drover.Promise.create () in
      let wait () =
        Drover.Promise.fulfil tell ();
        Drover.await (fst (Drover.Promise.create ()))
      in
      match
        Drover.Scope.run (fun s ->
            Drover.Scope.spawn s (fun () ->
                Drover.await started;
                raise Exit);
            Drover.all_settled [ wait; (fun () -> Drover.await started) ])
      with
      | _ -> Alcotest.fail "it has a result"
      | exception Exit -> ())

(* [first] and [second] fail in this order on any number of domains: the second waits, on one domain
   behind the first. *)
let first_wins fork () =
  Drover.run ~domains:1 (fun () ->
      let ready, tell = Drover.Promise.create () in
      let second () =
        Drover.await ready;
        Failing.raise_here 2
      and first () =
        Drover.Promise.fulfil tell ();
        Failing.raise_here 1
      in
      Failing.check 1 (fun () -> fork second first))

let all_of f g = ignore (Drover.all [ f; g ])

(* [f] fails when [g] is in its middle: [g] is cancelled, and its cleaning up ends before the
   failure is raised. *)
let waits_for_the_started fork domains () =
  Drover.run ~domains (fun () ->
      let started, tell_started = Drover.Promise.create () in
      let release, tell_release = Drover.Promise.create () in
      let ended = Atomic.make false in
      let f () =
        Drover.await started;
        let release () =
          Thread.delay 0.01;
          Drover.Promise.fulfil tell_release ()
        in
        ignore (Thread.create release () : Thread.t);
        Failing.raise_here 1
      and g () =
        Drover.Promise.fulfil tell_started ();
        match Drover.await (fst (Drover.Promise.create ())) with
        | () -> ()
        | exception Drover.Cancelled _ ->
            Drover.Scope.protect (fun () -> Drover.await release);
            Atomic.set ended true
      in
      Failing.check 1 (fun () -> fork f g);
      Alcotest.(check bool) "the other has ended" true (Atomic.get ended))

let both_of f g = ignore (Drover.both f g)

(* Waiting *)

(* [f] needs what [g] does, so [g] must be run while [f] waits: also on one domain. *)
let waits_for_the_other domains () =
  Drover.run ~domains (fun () ->
      let p, resolver = Drover.Promise.create () in
      let v, () =
        Drover.both (fun () -> Drover.await p) (fun () -> Drover.Promise.fulfil resolver 7)
      in
      Alcotest.(check int) "what the other gave" 7 v)

(* Neither forks and neither waits, but each needs the other to run at the same time. *)
let both_long () =
  Drover.run ~domains:2 (fun () ->
      let here = Atomic.make 0 in
      let meet () =
        Atomic.incr here;
        while Atomic.get here < 2 do
          Domain.cpu_relax ()
        done
      in
      ignore (Drover.both meet meet))

(* The stretch ends when all that is pending at the levels above it has run. *)
(* Small forks in a row teach their owner to keep them to itself; a long one after them is found all the
   same, while its owner never comes by and the others sleep. *)
let long_after_small domains () =
  Drover.run ~domains (fun () ->
      for round = 1 to 5 do
        for _ = 1 to round * 20_000 do
          ignore (Drover.both ignore ignore)
        done;
        let has_begun = Atomic.make false in
        let wait () = Spin.until (fun () -> Atomic.get has_begun) in
        ignore (Drover.both wait (fun () -> Atomic.set has_begun true))
      done)

let pending_in_a_long_stretch () =
  let levels = 20 in
  Drover.run ~domains:2 (fun () ->
      let ran = Atomic.make 0 in
      let rec nest level =
        if level = 0 then
          while Atomic.get ran < levels do
            Domain.cpu_relax ()
          done
        else ignore (Drover.both (fun () -> nest (level - 1)) (fun () -> Atomic.incr ran))
      in
      nest levels)

(* Depth *)

let million = 1_000_000

let deep_left domains () =
  let rec down n =
    if n = 0 then 0
    else
      let a, b = Drover.both (fun () -> down (n - 1)) (fun () -> 1) in
      a + b
  in
  Alcotest.(check int) "levels" million (Drover.run ~domains (fun () -> down million))

let deep_right domains () =
  let rec down n =
    if n = 0 then 0
    else
      let a, b = Drover.both (fun () -> 1) (fun () -> down (n - 1)) in
      a + b
  in
  Alcotest.(check int) "levels" million (Drover.run ~domains (fun () -> down million))

(* The innermost waits, with a million joins open. *)
let deep_wait () =
  let p, resolver = Drover.Promise.create () in
  let rec down n =
    if n = 0 then Drover.await p
    else
      let a, b = Drover.both (fun () -> down (n - 1)) (fun () -> 1) in
      a + b
  in
  let give () =
    Thread.delay 0.01;
    Drover.Promise.fulfil resolver 0
  in
  let giver = Thread.create give () in
  Alcotest.(check int) "levels" million (Drover.run ~domains:2 (fun () -> down million));
  Thread.join giver

let from_each test = List.map (fun (p : Place.t) -> Watchdog.case p.name (test p)) Place.all

let on_each ?seconds name test =
  List.map
    (fun n -> Watchdog.case ?seconds (Printf.sprintf "%s, %d domains" name n) (test n))
    [ 1; 2; 4 ]

let () =
  Alcotest.run "unit fork_join"
    [
      ("results", from_each results @ [ Watchdog.case ~seconds:900. "nested four deep" nested ]);
      ("failures", from_each fails);
      ("all settled", from_each settles @ on_each "cancelled" settled_is_cancelled);
      ( "which failure",
        [
          Watchdog.case "the unstarted are skipped" skips;
          Watchdog.case "while one waits" skips_while_one_waits;
          Watchdog.case "both: the first wins" (first_wins both_of);
          Watchdog.case "all: the first wins" (first_wins all_of);
        ]
        @ on_each "both waits for the started" (waits_for_the_started both_of)
        @ on_each "all waits for the started" (waits_for_the_started all_of) );
      ( "waiting",
        on_each "one waits for the other" waits_for_the_other
        @ [
            Watchdog.case "two long ones meet" both_long;
            Watchdog.case "a long one after small ones, 2 domains" (long_after_small 2);
            Watchdog.case "a long one after small ones, 4 domains" (long_after_small 4);
            Watchdog.case "pending above a long stretch" pending_in_a_long_stretch;
          ] );
      ( "depth",
        on_each ~seconds:300. "to the left" deep_left
        @ on_each ~seconds:300. "to the right" deep_right
        @ [ Watchdog.case ~seconds:600. "and waits" deep_wait ] );
    ]
