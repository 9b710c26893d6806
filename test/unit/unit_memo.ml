(* Drover.Memo: who computes, who awaits, and who is told of a cycle; and Drover.Scratch. *)

open Test_support
module Memo = Drover.Memo
module Scratch = Drover.Scratch

(* Each value once, also when all ask at the same time, whatever the hashes are. *)
let once ?hash (place : Place.t) () =
  place.call (fun () ->
      let calls = Atomic.make 0 in
      let choose get (n, k) =
        Atomic.incr calls;
        if k = 0 || k = n then 1
        else
          let a, b = Drover.both (fun () -> get (n - 1, k - 1)) (fun () -> get (n - 1, k)) in
          a + b
      in
      let table = Memo.create ?hash choose in
      Alcotest.(check int) "value" 184_756 (Memo.get table (20, 10));
      Alcotest.(check int) "calls" 120 (Atomic.get calls);
      Alcotest.(check (option int)) "there" (Some 6) (Memo.find_opt table (4, 2));
      Alcotest.(check (option int)) "not there" None (Memo.find_opt table (21, 10)))

let hashes =
  [
    ("one hash", fun _ -> 0);
    ("high bits", fun (n, k) -> ((n * 100) + k) lsl 50);
    ("negative", fun (n, k) -> -((n * 100) + k));
  ]

let failing () =
  let calls = Atomic.make 0 in
  let table =
    Memo.create (fun _ n ->
        Atomic.incr calls;
        Failing.raise_here n)
  in
  for _ = 1 to 3 do
    Failing.check 5 (fun () -> Memo.get table 5)
  done;
  Alcotest.(check int) "calls" 1 (Atomic.get calls);
  Alcotest.(check (option int)) "no value" None (Memo.find_opt table 5)

(* The first that asks is cancelled while it computes, and another waits for it: that computes. *)
let cancelled domains () =
  Drover.run ~domains (fun () ->
      let begun, tell = Drover.Promise.create () and calls = Atomic.make 0 in
      let table =
        Memo.create (fun _ () ->
            if Atomic.fetch_and_add calls 1 = 0 then begin
              Drover.Promise.fulfil tell ();
              Drover.sleep 1000.
            end)
      in
      let first () =
        Drover.Scope.run (fun scope ->
            Drover.Scope.spawn scope (fun () -> Memo.get table ());
            Drover.await begun;
            Alcotest.(check bool) "no wait" true (Memo.find_opt table () = None);
            Drover.Scope.cancel scope Exit)
      and second () =
        Drover.await begun;
        Memo.get table ()
      in
      let (), () = Drover.both (fun () -> try first () with Exit -> ()) second in
      Alcotest.(check int) "calls" 2 (Atomic.get calls))

(* One that waits is cancelled, and no other is concerned. *)
let waiter_cancelled domains () =
  Drover.run ~domains (fun () ->
      let ready, go_on = Drover.Promise.create () in
      let table = Memo.create (fun _ () -> Drover.await ready) in
      let owner = Drover.async (fun () -> Memo.get table ()) in
      (match Drover.Scope.with_timeout 0.001 (fun () -> Memo.get table ()) with
      | () -> Alcotest.fail "it did not wait"
      | exception Drover.Scope.Timeout -> ());
      Drover.Promise.fulfil go_on ();
      Drover.await owner)

let is_cycle f = match f () with _ -> false | exception Memo.Cycle -> true
let told what f = Alcotest.(check bool) what true (is_cycle f)

(* Each of [n] asks for the next one once all have begun, so that no one computes another. *)
let ring n domains () =
  Drover.run ~domains (fun () ->
      for _ = 1 to 50 do
        let begun = Drover.Latch.create n in
        let table =
          Memo.create (fun get i ->
              Drover.Latch.count_down begun;
              Drover.Latch.wait begun;
              1 + get ((i + 1) mod n))
        in
        let all =
          List.init n (fun i -> Drover.async (fun () -> is_cycle (fun () -> Memo.get table i)))
        in
        List.iter (fun p -> Alcotest.(check bool) "told" true (Drover.await p)) all
      done)

let cycles () =
  let self = Memo.create (fun get n -> get n + 1) in
  told "itself" (fun () -> Memo.get self 1);
  told "again" (fun () -> Memo.get self 1);
  let steps = Memo.create (fun get n -> if n = 100 then get 50 else get (n + 1)) in
  told "by steps" (fun () -> Memo.get steps 1);
  let in_fork = Memo.create (fun get n -> fst (Drover.both (fun () -> get (1 - n)) ignore)) in
  told "in a fork" (fun () -> Memo.get in_fork 0);
  let rec left = lazy (Memo.create (fun _ n -> Memo.get (Lazy.force right) n + 1))
  and right = lazy (Memo.create (fun _ n -> Memo.get (Lazy.force left) n + 1)) in
  told "two tables" (fun () -> Memo.get (Lazy.force left) 1);
  let caught = Memo.create (fun get n -> match get n with n -> n | exception Memo.Cycle -> 7) in
  Alcotest.(check int) "caught" 7 (Memo.get caught 1)

(* A task that a computation has left behind may need who has waited for that computation. *)
let left_behind domains () =
  Drover.run ~domains (fun () ->
      let promise () = Drover.Promise.create () in
      let ready, tell_ready = promise () and goes_on, tell = promise () in
      let left, tell_left = promise () and asks, tell_asks = promise () in
      let table =
        Memo.create (fun get i ->
            if i = 0 then begin
              Drover.await ready;
              let behind () =
                Drover.await goes_on;
                Drover.Promise.fulfil tell_asks ();
                get 1
              in
              Drover.Promise.fulfil tell_left (Drover.async behind);
              7
            end
            else begin
              let n = get 0 in
              Drover.Promise.fulfil tell ();
              Drover.await asks;
              Drover.sleep 0.001;
              n + 1
            end)
      in
      let first = Begun.task (fun () -> Memo.get table 0) in
      let second = Begun.task (fun () -> Memo.get table 1) in
      Drover.Promise.fulfil tell_ready ();
      Alcotest.(check int) "its own" 7 (Drover.await first);
      Alcotest.(check int) "who waited" 8 (Drover.await second);
      Alcotest.(check int) "who was left" 8 (Drover.await (Drover.await left)))

(* What it takes to see that a wait closes no circle does not grow with the number of those that wait already.
   Words, and not time, on one domain: of [n] runs, each computed for the one before, the last has [n] tasks
   wait for one that is computed apart. They do so themselves, or compute one each that does. *)
let words_a_wait ~in_between n =
  let go, tell = Drover.Promise.create () and begun = ref 0 and words = ref 0. in
  let wait get =
    incr begun;
    if !begun = n then Drover.Promise.fulfil tell ();
    get 0
  in
  let task get i = Drover.async (fun () -> if in_between then get (n + i) else wait get) in
  let table =
    Memo.create (fun get i ->
        if i = 0 then Drover.await go
        else if i < n then get (i + 1)
        else if i > n then wait get
        else begin
          let before = Gc.minor_words () in
          List.iter Drover.await (List.init n (fun i -> task get (i + 1)));
          words := Gc.minor_words () -. before
        end)
  in
  Drover.run ~domains:1 (fun () ->
      let apart = Begun.task (fun () -> Memo.get table 0) in
      Memo.get table 1;
      Drover.await apart);
  !words /. float n

let grows_not ~in_between () =
  let few = words_a_wait ~in_between 50 and many = words_a_wait ~in_between 800 in
  if many > 2. *. few then Alcotest.failf "%.0f words each, but %.0f of many" few many

(* With a bound: what is in use stays, and what is computed, however many others come. *)
let bounded () =
  Failing.misuse "Drover.Memo.create: " (fun () -> Memo.create ~bound:0 (fun _ () -> ()));
  Drover.run ~domains:1 (fun () ->
      let ready, go_on = Drover.Promise.create () and calls = Array.make 100 0 in
      let table =
        Memo.create ~bound:3 (fun _ n ->
            calls.(n) <- calls.(n) + 1;
            if n = 99 then Drover.await ready;
            n)
      in
      let get n = ignore (Memo.get table n : int) in
      let slow = Begun.task (fun () -> Memo.get table 99) in
      get 0;
      for n = 1 to 90 do
        get 0;
        get n
      done;
      let also = Begun.task (fun () -> Memo.get table 99) in
      Drover.Promise.fulfil go_on ();
      Alcotest.(check (pair int int)) "values" (99, 99) (Drover.await slow, Drover.await also);
      Alcotest.(check (list int)) "in use" [ 1; 1 ] [ calls.(0); calls.(99) ];
      let is_kept n = Option.is_some (Memo.find_opt table n) in
      Alcotest.(check (list int)) "kept" [ 0; 90; 99 ] (List.filter is_kept (List.init 100 Fun.id));
      get 50;
      Alcotest.(check int) "again" 2 calls.(50))

(* What has gone is not kept in memory. *)
let[@inline never] fill table =
  for n = 1 to 1_000 do
    ignore (Memo.get table n : int ref)
  done

let forgets () =
  let reach = Reach.create () in
  let table = Memo.create ~bound:10 (fun _ n -> Reach.watch reach (ref n)) in
  Drover.run ~domains:2 (fun () -> fill table);
  Alcotest.(check bool) "forgotten" true (Reach.alive reach <= 10);
  Alcotest.(check int) "the latest" 1_000 !(Memo.get table 1_000)

(* Scratch values *)

let apart () =
  let made = Atomic.make 0 in
  let s =
    Scratch.create (fun () ->
        Atomic.incr made;
        ref 0)
  in
  Drover.run ~domains:1 (fun () ->
      Scratch.use s (fun outer -> Scratch.use s (fun inner -> assert (inner != outer)));
      for _ = 1 to 100 do
        Scratch.use s (fun x -> incr x)
      done);
  Alcotest.(check int) "two" 2 (Atomic.get made);
  (match Scratch.use s (fun _ -> raise Exit) with () -> () | exception Exit -> ());
  Scratch.use s (fun outer -> Scratch.use s (fun inner -> assert (inner != outer)));
  Alcotest.(check int) "three" 3 (Atomic.get made)

(* Tasks suspend while they have one. *)
let one_at_a_time domains () =
  let made = Atomic.make 0 in
  let s =
    Scratch.create (fun () ->
        Atomic.incr made;
        Atomic.make 0)
  in
  Drover.run ~domains (fun () ->
      Drover.parallel_for ~start:1 ~finish:3_000 (fun i ->
          Scratch.use s (fun users ->
              if Atomic.fetch_and_add users 1 > 0 then Alcotest.fail "two at a time";
              if i land 7 = 0 then Drover.await (Drover.async ignore);
              Atomic.decr users)));
  if Atomic.get made > 3_000 / 4 then Alcotest.failf "%d were made" (Atomic.get made)

(* A store that counts what it made and released; no value twice. *)
let counted () =
  let made = Atomic.make 0 and released = Atomic.make 0 in
  let make () =
    Atomic.incr made;
    Atomic.make false
  and release x =
    if Atomic.exchange x true then Alcotest.fail "released twice";
    Atomic.incr released
  in
  (Scratch.create ~release make, made, released)

let cleared () =
  Drover.run ~domains:1 (fun () ->
      let s, made, released = counted () in
      let counts what expected =
        Alcotest.(check (pair int int)) what expected (Atomic.get made, Atomic.get released)
      in
      Scratch.use s (fun _ -> Scratch.use s ignore);
      counts "two" (2, 0);
      Failing.check 3 (fun () -> Scratch.use s (fun _ -> Failing.raise_here 3));
      counts "one that failed" (2, 1);
      Scratch.use s (fun _ ->
          Scratch.clear s;
          counts "but the one in use" (2, 1));
      Scratch.use s (fun _ ->
          Scratch.use s ignore;
          Scratch.clear s);
      Scratch.clear s;
      counts "all" (3, 3);
      Scratch.use s ignore;
      counts "another" (4, 3))

(* Tasks fail, are cancelled and interrupted while they have one, wait for one, make one. *)
let released_once domains () =
  Drover.run ~domains (fun () ->
      let s, made, released = counted () in
      let use i =
        Scratch.use s (fun x ->
            if Atomic.get x then failwith "it was released";
            if i land 3 = 0 then Drover.sleep 0.;
            if i = 40 then raise Exit)
      in
      for _ = 1 to 100 do
        match
          Drover.Scope.interruptible (fun () -> Drover.parallel_for ~start:1 ~finish:60 use)
        with
        | () -> Alcotest.fail "no failure"
        | exception Exit -> ()
      done;
      Scratch.clear s;
      Alcotest.(check int) "all are released" (Atomic.get made) (Atomic.get released))

let () =
  let on_each name test =
    List.map
      (fun n -> Watchdog.case (Printf.sprintf "%s, %d domains" name n) (test n))
      [ 1; 2; 4; 8 ]
  in
  Alcotest.run "unit memo"
    [
      ("places", List.map (fun (p : Place.t) -> Watchdog.case p.name (once p)) Place.all);
      ( "hashes",
        List.map (fun (name, hash) -> Watchdog.case name (once ~hash (Place.task 2))) hashes );
      ( "failures",
        (Watchdog.case "failing" failing :: on_each "cancelled" cancelled)
        @ on_each "the one that waits is cancelled" waiter_cancelled );
      ( "cycles",
        (Watchdog.case "each" cycles :: on_each "two" (ring 2))
        @ on_each "none: a task is left behind" left_behind
        @ on_each "three" (ring 3)
        @ on_each "ten" (ring 10) );
      ( "costs",
        [
          Watchdog.case "waits" (grows_not ~in_between:false);
          Watchdog.case "waits of many" (grows_not ~in_between:true);
        ] );
      ("bound", [ Watchdog.case "in use" bounded; Watchdog.case "forgets" forgets ]);
      ("scratch", Watchdog.case "apart" apart :: on_each "one at a time" one_at_a_time);
      ("scratch, released", Watchdog.case "cleared" cleared :: on_each "once each" released_once);
    ]
