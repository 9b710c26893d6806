(* Mutexes and condition variables. *)

open Test_support
open Drover
open Stdlib
module Mutex = Drover.Mutex
module Condition = Drover.Condition

let misuse () =
  let m = Mutex.create ~name:"accounts" () in
  Failing.misuse "Drover.Mutex.unlock: accounts " (fun () -> Mutex.unlock m)

let protects () =
  let m = Mutex.create () in
  Alcotest.(check int) "value" 1 (Mutex.protect m (fun () -> 1));
  Failing.check 2 (fun () -> Mutex.protect m (fun () -> Failing.raise_here 2));
  Alcotest.(check bool) "unlocked" false (Mutex.is_locked m)

(* One object, users in every place at once, some of which wait while they hold it. *)
let excludes () =
  let m = Mutex.create () and n = ref 0 and times = 200 in
  let user (place : Place.t) =
    Stranger.thread (fun () ->
        place.call (fun () ->
            for i = 1 to times do
              Mutex.protect m (fun () ->
                  let before = !n in
                  if i mod 50 = 0 then await (async ignore);
                  n := before + 1)
            done))
  in
  let joins = List.map user Place.all in
  List.iter (fun join -> join ()) joins;
  Alcotest.(check int) "none is lost" (times * List.length Place.all) !n

let unlocked_by_another domains () =
  run ~domains (fun () ->
      let m = Mutex.create () in
      Mutex.lock m;
      let waiting = Begun.task (fun () -> Mutex.protect m ignore) in
      await (async (fun () -> Mutex.unlock m));
      await waiting)

(* Nobody waits for itself: neither a task, nor a thread outside of tasks. *)
let locked_twice () =
  let m = Mutex.create ~name:"the ledger" () in
  let twice () =
    Mutex.lock m;
    List.iter
      (Failing.misuse "Drover.Mutex: the ledger is locked by its caller already")
      [ (fun () -> Mutex.lock m); (fun () -> Mutex.protect m ignore) ];
    Alcotest.(check bool) "try_lock" false (Mutex.try_lock m);
    Alcotest.(check bool) "still locked" true (Mutex.is_locked m);
    Mutex.unlock m
  in
  twice ();
  run ~domains:2 twice;
  (* By somebody else meanwhile. *)
  run ~domains:2 (fun () ->
      twice ();
      await (async twice))

(* Those who wait are served in order. *)
let in_order () =
  let m = Mutex.create () and served = ref [] in
  run ~domains:1 (fun () ->
      Mutex.lock m;
      let wait i =
        Begun.task (fun () ->
            Mutex.lock m;
            served := i :: !served;
            Mutex.unlock m)
      in
      let waiting = List.init 100 wait in
      Mutex.unlock m;
      List.iter await waiting);
  Alcotest.(check (list int)) "in order" (List.init 100 Fun.id) (List.rev !served)

(* Were it to lie below the others, those that want the mutex too would all get in line meanwhile. *)
let goes_first () =
  let m = Mutex.create () and begun = ref [] in
  let note name = begun := name :: !begun in
  run ~domains:1 (fun () ->
      Mutex.lock m;
      let waiting = Begun.task (fun () -> Mutex.protect m (fun () -> note "called")) in
      Mutex.unlock m;
      let others = List.init 3 (fun _ -> async (fun () -> note "other")) in
      List.iter await (waiting :: others));
  Alcotest.(check string) "first" "called" (List.nth !begun 3)

(* Lets all others run that can. *)
let yield () =
  let p, tell = Promise.create () in
  let fulfil = async (fun () -> Promise.fulfil tell ()) in
  await p;
  await fulfil

(* Whoever comes by takes a free mutex before one who waits has come to take it; but that one comes
   in vain once only, and is not waited for if its worker has other things to do. *)
let waits_some_turns () =
  run ~domains:1 (fun () ->
      let m = Mutex.create () and turns = ref 0 and longest = ref 0 and is_over = ref false in
      let take_turns () =
        while not !is_over do
          Mutex.lock m;
          incr turns;
          yield ();
          Mutex.unlock m
        done
      and wait () =
        let before = !turns in
        Mutex.lock m;
        longest := Int.max !longest (!turns - before);
        Mutex.unlock m
      in
      let other = async take_turns in
      for _ = 1 to 100 do
        await (Begun.task wait)
      done;
      is_over := true;
      await other;
      Alcotest.(check bool) "the other was there" true (!turns > 10);
      Alcotest.(check bool) "for a bounded number of turns" true (!longest <= 10_002))

(* Others keep the mutex busy without a pause: a worker each, so that those who are called find it
   locked nearly always. *)
let is_handed_over () =
  let m = Mutex.create () and stop = Atomic.make false and served = ref 0 in
  let busy () =
    while not (Atomic.get stop) do
      Mutex.protect m (fun () ->
          for _ = 1 to 1000 do
            ignore (Sys.opaque_identity ())
          done)
    done
  in
  let domains = List.init 2 (fun _ -> Stdlib.Domain.spawn busy) in
  run ~domains:2 (fun () ->
      parallel_for ~start:1 ~finish:200 (fun _ ->
          Mutex.protect m (fun () ->
              incr served;
              yield ())));
  Atomic.set stop true;
  List.iter Stdlib.Domain.join domains;
  Alcotest.(check int) "served" 200 !served

(* A task that ends while it holds a mutex fails, and others get the mutex. *)

let ended_holding = "Drover.Mutex: a task ended while it held accounts"
let accounts () = Mutex.create ~name:"accounts" ()

let check_free m =
  Alcotest.(check bool) "unlocked" false (Mutex.is_locked m);
  Alcotest.(check bool) "for one" true (Mutex.try_lock m);
  Alcotest.(check bool) "at a time" false (Mutex.try_lock m);
  Mutex.unlock m

let forgotten how () =
  let m = accounts () in
  Failing.misuse ended_holding (fun () -> how (fun () -> Mutex.lock m));
  check_free m

(* The other side waits, so this one runs in a task of its own. *)
let in_fork f =
  let there, tell = Promise.create () in
  let forked () =
    f ();
    Promise.fulfil tell ()
  in
  ignore (both (fun () -> await there) forked : unit * unit)

let in_iteration f =
  let there, tell = Promise.create () in
  parallel_for ~start:0 ~finish:1 (fun i ->
      if i = 0 then await there
      else begin
        f ();
        Promise.fulfil tell ()
      end)

let forgotten_by =
  [
    ("a task", fun f -> await (async f));
    ("the task of a run", fun f -> run ~domains:1 f);
    ("a task of a scope", fun f -> Scope.run (fun s -> Scope.spawn s f));
    ("a fork", in_fork);
    ("an iteration", in_iteration);
    ("a part that is protected", fun f -> await (async (fun () -> Scope.protect f)));
    ("a batch", fun f -> await (async (fun () -> Batch.submit (Batch.create (Array.iter f)) ())));
  ]

let forgotten_with_failure () =
  let m = accounts () in
  let fail () =
    Mutex.lock m;
    Failing.raise_here 5
  in
  Failing.check 5 (fun () -> await (async fail));
  check_free m

let handed_to_waiters domains () =
  run ~domains (fun () ->
      let m = accounts () and go, tell = Promise.create () in
      let holder =
        Begun.task (fun () ->
            Mutex.lock m;
            await go)
      in
      while not (Mutex.is_locked m) do
        await (async ignore)
      done;
      let inside = ref 0 in
      let waiting =
        List.init 10 (fun _ -> Begun.task (fun () -> Mutex.protect m (fun () -> incr inside)))
      in
      Promise.fulfil tell ();
      Failing.misuse ended_holding (fun () -> await holder);
      List.iter await waiting;
      Alcotest.(check int) "all get in" 10 !inside)

let forgotten_together () =
  let named name = Mutex.create ~name () in
  let ms = List.map named [ "a"; "b"; "c"; "d" ] in
  let task () =
    List.iter Mutex.lock ms;
    Mutex.unlock (List.nth ms 1)
  in
  Failing.misuse "Drover.Mutex: a task ended while it held d, c, a" (fun () -> await (async task))

(* What others unlock is not held any more. *)
let given_away domains () =
  run ~domains (fun () ->
      let m = accounts ()
      and locked, tell = Promise.create ()
      and unlocked, told = Promise.create () in
      let holder =
        async (fun () ->
            Mutex.lock m;
            Promise.fulfil tell ();
            await unlocked)
      in
      await locked;
      Mutex.unlock m;
      Mutex.lock m;
      Promise.fulfil told ();
      await holder;
      Alcotest.(check bool) "not by its end" true (Mutex.is_locked m);
      Mutex.unlock m)

(* From one to the next, with a hand on each. *)
let forgets () =
  let reach = Reach.create () in
  let fresh () = Reach.watch reach (Mutex.create ()) in
  let rec walk m n =
    if n = 0 then m
    else begin
      let next = fresh () in
      Mutex.lock next;
      Mutex.unlock m;
      walk next (n - 1)
    end
  in
  run ~domains:1 (fun () ->
      let m = fresh () in
      Mutex.lock m;
      let last = walk m 1000 in
      Alcotest.(check bool) "few are kept" true (Reach.alive reach < 10);
      Mutex.unlock last)

let condition_misuse () =
  let m = Mutex.create ~name:"accounts" () and c = Condition.create () in
  Failing.misuse "Drover.Condition.wait: accounts " (fun () -> Condition.wait c m)

(* Waits that find the mutex locked by another, and unlocked a moment later. *)
let condition_without_lock () =
  let m = Mutex.create () and c = Condition.create () and refused = Atomic.make 0 in
  let unlock () = try Mutex.unlock m with Invalid_argument _ -> () in
  run ~domains:2 (fun () ->
      let is_over = Atomic.make false in
      let holder =
        async (fun () ->
            while not (Atomic.get is_over) do
              if Mutex.try_lock m then unlock ();
              Condition.broadcast c;
              Scope.check ()
            done)
      in
      for _ = 1 to 5000 do
        match Condition.wait c m with
        | () -> unlock ()
        | exception Invalid_argument _ -> Atomic.incr refused
      done;
      Atomic.set is_over true;
      await holder);
  Alcotest.(check bool) "refused" true (Atomic.get refused > 0)

exception Stop

(* Cancelled before the wait or in it, a task has the mutex again when it goes on. *)
let condition_cancelled domains () =
  let m = Mutex.create () and c = Condition.create () in
  let wait ~before =
    Scope.run (fun s ->
        Mutex.protect m (fun () ->
            before s;
            match Condition.wait c m with
            | () -> Alcotest.fail "nobody signals"
            | exception (Cancelled _ as exn) ->
                Stranger.expect "locked" true (Mutex.is_locked m);
                raise exn))
  in
  let cancel s = Scope.cancel s Stop in
  let cancel_when_unlocked s = Scope.spawn s (fun () -> Mutex.protect m (fun () -> cancel s)) in
  run ~domains (fun () ->
      Alcotest.check_raises "before" Stop (fun () -> wait ~before:cancel);
      Alcotest.check_raises "in it" Stop (fun () -> wait ~before:cancel_when_unlocked);
      Alcotest.(check bool) "unlocked" false (Mutex.is_locked m))

(* Unlocked by another, perhaps as it has just been locked, a mutex is not its task's any more. *)
let unlocked_meanwhile () =
  let m = Mutex.create () in
  let unlock () = try Mutex.unlock m with Invalid_argument _ -> () in
  let is_over = Atomic.make false in
  let go_on_unlocking () =
    while not (Atomic.get is_over) do
      unlock ()
    done
  in
  let other = Stranger.domain go_on_unlocking in
  let finally () =
    Atomic.set is_over true;
    other ()
  in
  let lock_and_unlock () =
    Mutex.lock m;
    unlock ()
  in
  Fun.protect ~finally (fun () ->
      run ~domains:1 (fun () ->
          for _ = 1 to 100_000 do
            await (async lock_and_unlock)
          done))

(* A queue with a lock, used from two places. *)
let condition_between (giver : Place.t) (taker : Place.t) () =
  let m = Mutex.create () and c = Condition.create () and q = Queue.create () in
  let put i =
    Mutex.protect m (fun () ->
        Queue.add i q;
        Condition.signal c)
  and take () =
    Mutex.protect m (fun () ->
        while Queue.is_empty q do
          Condition.wait c m
        done;
        Queue.take q)
  in
  let numbers = List.init 300 Fun.id in
  let join = Stranger.thread (fun () -> giver.call (fun () -> List.iter put numbers)) in
  let taken = taker.call (fun () -> List.map (fun _ -> take ()) numbers) in
  join ();
  Alcotest.(check (list int)) "in order" numbers taken

let signals domains () =
  run ~domains (fun () ->
      let m = Mutex.create () and c = Condition.create () in
      let waiting = Atomic.make 0 and woken = Atomic.make 0 in
      let wait _ =
        async (fun () ->
            Mutex.protect m (fun () ->
                Atomic.incr waiting;
                Condition.wait c m;
                Atomic.incr woken))
      in
      let tasks = List.init 10 wait in
      while Atomic.get waiting < 10 do
        await (async ignore)
      done;
      (* With the lock, so that the last is inside. *)
      let locked f = Mutex.protect m f in
      Alcotest.(check int) "nobody yet" 0 (locked (fun () -> Atomic.get woken));
      locked (fun () -> Condition.signal c);
      locked (fun () -> Condition.signal c);
      while Atomic.get woken < 2 do
        await (async ignore)
      done;
      Alcotest.(check int) "two" 2 (locked (fun () -> Atomic.get woken));
      locked (fun () -> Condition.broadcast c);
      List.iter await tasks;
      Condition.signal c;
      Condition.broadcast c;
      Alcotest.(check int) "all" 10 (Atomic.get woken))

let pairs =
  List.concat_map
    (fun (a : Place.t) ->
      List.map
        (fun (b : Place.t) -> Watchdog.case (a.name ^ " to " ^ b.name) (condition_between a b))
        Place.few)
    Place.few

let () =
  Alcotest.run "unit mutex"
    [
      ( "mutex",
        [
          Watchdog.case "misuse" misuse;
          Watchdog.case "protects" protects;
          Watchdog.case "excludes" excludes;
          Watchdog.case "locked twice" locked_twice;
          Watchdog.case "unlocked by another, 1 domain" (unlocked_by_another 1);
          Watchdog.case "unlocked by another, 2 domains" (unlocked_by_another 2);
          Watchdog.case "in order" in_order;
          Watchdog.case "goes before other work" goes_first;
          Watchdog.case "waits for some turns" waits_some_turns;
          Watchdog.case "handed over" is_handed_over;
          Watchdog.case "forgets" forgets;
        ] );
      ("forgotten by", List.map (fun (name, how) -> Watchdog.case name (forgotten how)) forgotten_by);
      ( "forgotten",
        [
          Watchdog.case "with a failure" forgotten_with_failure;
          Watchdog.case "to those who wait, 1 domain" (handed_to_waiters 1);
          Watchdog.case "to those who wait, 2 domains" (handed_to_waiters 2);
          Watchdog.case "several" forgotten_together;
          Watchdog.case "given away, 1 domain" (given_away 1);
          Watchdog.case "given away, 2 domains" (given_away 2);
          Watchdog.case "unlocked meanwhile" unlocked_meanwhile;
        ] );
      ( "condition",
        [
          Watchdog.case "misuse" condition_misuse;
          Watchdog.case "without the lock" condition_without_lock;
          Watchdog.case "cancelled, 1 domain" (condition_cancelled 1);
          Watchdog.case "cancelled, 2 domains" (condition_cancelled 2);
          Watchdog.case "signals, 1 domain" (signals 1);
          Watchdog.case "signals, 2 domains" (signals 2);
        ] );
      ("condition between", pairs);
    ]
