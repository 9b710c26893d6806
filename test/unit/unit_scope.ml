(* Scopes: what is spawned ends, failures are gathered, cancellation reaches every wait. *)

open Test_support
open Drover
open Stdlib

let never () = await (fst (Promise.create ()))

(* From any domain. *)
let check_int (what : string) (expected : int) found = Stranger.expect what expected found

exception Stop

(* Each on several numbers of domains. *)
let case name f =
  Watchdog.case name (fun () ->
      f ();
      List.iter (fun domains -> run ~domains f) [ 1; 2; 4; 8 ])

(* [f] waits for what never comes; says whether it was cancelled. *)
let cancelled f = match f () with _ -> false | exception Cancelled _ -> true

let joins () =
  let ended = Atomic.make 0 in
  let value =
    Scope.run (fun s ->
        for _ = 1 to 100 do
          Scope.spawn s (fun () ->
              await (async ignore);
              Scope.spawn s (fun () -> Atomic.incr ended))
        done;
        7)
  in
  check_int "value" 7 value;
  check_int "ended" 100 (Atomic.get ended)

let promise () =
  check_int "sum" 3
    (Scope.run (fun s ->
         let a = Scope.async s (fun () -> 1) and b = Scope.async s (fun () -> 2) in
         await a + await b))

let body_fails () =
  let stopped = Atomic.make 0 in
  Failing.raises "body" Stop (fun () ->
      Scope.run (fun s ->
          let started = Array.init 10 (fun _ -> Promise.create ()) in
          Array.iter
            (fun (_, resolver) ->
              Scope.spawn s (fun () ->
                  Promise.fulfil resolver ();
                  if cancelled never then Atomic.incr stopped))
            started;
          Array.iter (fun (promise, _) -> await promise) started;
          raise Stop));
  check_int "stopped" 10 (Atomic.get stopped)

let task_fails () =
  Failing.raises "task" Stop (fun () ->
      Scope.run (fun s ->
          Scope.spawn s (fun () -> raise Stop);
          never ()))

let named () =
  Failing.check 5 (fun () ->
      Scope.run (fun s ->
          Scope.spawn s (fun () -> Failing.raise_here 5);
          never ()))

let several () =
  let failing (e : exn) others =
    Scope.run (fun s ->
        List.iter
          (fun other ->
            let started, go = Promise.create () in
            Scope.spawn s (fun () ->
                Promise.fulfil go ();
                try never () with Cancelled _ -> raise other);
            await started)
          others;
        raise e)
  in
  let others = [ Failure "a"; Failure "b"; Failure "c" ] in
  match failing (Failure "first") others with
  | () -> Alcotest.fail "no exception"
  | exception (Failure first as e) ->
      Alcotest.(check string) "first" "first" first;
      let found = List.map fst (Scope.suppressed e) in
      Alcotest.(check bool) "others" true (List.sort compare found = others);
      Alcotest.(check bool) "none of another" true (Scope.suppressed (Failure "first") = [])

(* An exception that is always the same value carries the latest ones of all its scopes, oldest first. *)
let in_order_of_time () =
  let exception Same in
  let round i =
    match
      Scope.run (fun s ->
          let started, go = Promise.create () in
          Scope.spawn s (fun () ->
              Promise.fulfil go ();
              try never () with Cancelled _ -> raise (Failing.Failed i));
          await started;
          raise Same)
    with
    | () -> Alcotest.fail "no exception"
    | exception Same -> ()
  and carried () =
    List.map (function Failing.Failed i, _ -> i | e, _ -> raise e) (Scope.suppressed Same)
  in
  List.iter round [ 1; 2; 3 ];
  Alcotest.(check (list int)) "three" [ 1; 2; 3 ] (carried ());
  List.iter round (List.init 97 (( + ) 4));
  Alcotest.(check (list int)) "the latest" (List.init 64 (( + ) 37)) (carried ())

(* [Failed 0] is raised when pieces 1 .. 3 have started; they fail when they are cancelled. *)
let pieces () =
  let started = Array.init 4 (fun _ -> Promise.create ()) in
  fun i ->
    if i = 0 then begin
      for i = 1 to 3 do
        await (fst started.(i))
      done;
      Failing.raise_here 0
    end;
    Promise.fulfil (snd started.(i)) ();
    try never () with Cancelled _ -> Failing.raise_here i

let attached expected f =
  match f () with
  | () -> Alcotest.fail "no exception"
  | exception (Failing.Failed first as e) ->
      check_int "first" 0 first;
      let others = Scope.suppressed e in
      let number = function Failing.Failed i, _ -> i | e, _ -> raise e in
      Alcotest.(check (list int)) "others" expected (List.sort compare (List.map number others));
      let is_named (_, backtrace) = Failing.names "raise_here" backtrace in
      Alcotest.(check bool) "backtraces" true (List.for_all is_named others)

let several_elsewhere () =
  attached [ 1; 2; 3 ] (fun () ->
      let piece = pieces () in
      let both_ i j () = ignore (both (fun () -> piece i) (fun () -> piece j) : unit * unit) in
      ignore (both (both_ 0 1) (both_ 2 3) : unit * unit));
  attached [ 1; 2; 3 ] (fun () ->
      let piece = pieces () in
      ignore (all (List.init 4 (fun i () -> piece i)) : unit list));
  attached [ 1; 2; 3 ] (fun () ->
      let piece = pieces () in
      parallel_for ~start:0 ~finish:3 piece);
  attached [ 1; 2; 3 ] (fun () ->
      let piece = pieces () in
      parallel_reduce ~start:0 ~finish:3 ~init:() ~combine:(fun () () -> ()) piece)

(* What a cancelled fork fails with in its clean-up is told by the scope, which ignores that it was
   cancelled. *)
let fails_when_cancelled () =
  let both_ started () =
    ignore
      (both
         (fun () -> never ())
         (fun () ->
           Promise.fulfil started ();
           try never () with Cancelled _ -> Failing.raise_here 1)
        : unit * unit)
  in
  attached [ 1 ] (fun () ->
      Scope.run (fun s ->
          let here, started = Promise.create () in
          Scope.spawn s (both_ started);
          await here;
          Failing.raise_here 0))

let by_hand () =
  Failing.raises "cancel" Stop (fun () ->
      Scope.run (fun s ->
          Scope.spawn s (fun () -> Scope.cancel s Stop);
          Scope.cancel s Stop;
          Scope.cancel s Exit;
          never ()));
  Failing.raises "cancel, and the body returns" Stop (fun () ->
      Scope.run (fun s -> Scope.cancel s Stop))

let skipped () =
  let ran = Atomic.make 0 in
  Failing.raises "cancelled before" Stop (fun () ->
      Scope.run (fun s ->
          Scope.cancel s Stop;
          for _ = 1 to 10 do
            Scope.spawn s (fun () -> Atomic.incr ran)
          done));
  check_int "ran" 0 (Atomic.get ran)

(* What was acquired for a task is released once, after it, whatever becomes of the task. *)
let released () =
  let acquired = Atomic.make 0 and begun = Atomic.make 0 and ended = Atomic.make 0 in
  let released = Atomic.make 0 and outside = Atomic.make 0 in
  let spawn s f =
    Atomic.incr acquired;
    Scope.spawn s
      (fun () ->
        Atomic.incr begun;
        Fun.protect f ~finally:(fun () -> Atomic.incr ended))
      ~finally:(fun () ->
        (* It may wait. *)
        await (async ignore);
        if not (cancelled Scope.check) then Atomic.incr outside;
        Atomic.incr released)
  in
  Failing.raises "some begin" Stop (fun () ->
      Scope.run (fun s ->
          for i = 1 to 20 do
            spawn s (fun () -> if i = 10 then raise Stop else await (async ignore))
          done));
  Failing.raises "none begins" Stop (fun () ->
      Scope.run (fun s ->
          Scope.cancel s Stop;
          spawn s (fun () -> Atomic.incr begun)));
  let over = Scope.run Fun.id in
  Failing.misuse "Drover.Scope.spawn: the scope has ended" (fun () -> spawn over ignore);
  check_int "released" (Atomic.get acquired) (Atomic.get released);
  check_int "no cancellation reaches it" (Atomic.get acquired) (Atomic.get outside);
  check_int "begun and ended" (Atomic.get begun) (Atomic.get ended)

(* Nor is the release interrupted, of a task that is. The body is: it may spawn any number of them. *)
let released_masked () =
  let spawned = Atomic.make 0 and begun = Atomic.make 0 and ended = Atomic.make 0 in
  Failing.raises "interrupted" Stop (fun () ->
      Scope.interruptible (fun () ->
          Scope.run (fun s ->
              Scope.cancel s Stop;
              for _ = 1 to 100 do
                Scope.spawn s ignore ~finally:(fun () ->
                    Atomic.incr begun;
                    for _ = 1 to 10_000 do
                      ignore (Sys.opaque_identity (ref 0))
                    done;
                    Atomic.incr ended);
                Atomic.incr spawned
              done)));
  check_int "each that began has ended" (Atomic.get begun) (Atomic.get ended);
  if Atomic.get ended < Atomic.get spawned then Alcotest.fail "a task was spawned, and not released"

let release_fails () =
  let failing s f = Scope.spawn s f ~finally:(fun () -> Failing.raise_here 1) in
  Failing.check 1 (fun () -> Scope.run (fun s -> failing s ignore));
  attached [ 1 ] (fun () -> Scope.run (fun s -> failing s (fun () -> Failing.raise_here 0)));
  attached [ 1 ] (fun () ->
      Scope.run (fun s ->
          Scope.cancel s (Failing.Failed 0);
          failing s ignore))

let inner_only () =
  let inner = ref false and outer = ref false in
  Scope.run (fun _ ->
      (try
         Scope.run (fun s ->
             Scope.cancel s Stop;
             inner := cancelled Scope.check)
       with Stop -> ());
      outer := cancelled Scope.check);
  Alcotest.(check (pair bool bool)) "inner, outer" (true, false) (!inner, !outer)

let from_outside () =
  let reached = Atomic.make 0 in
  let wait_in_all () =
    let counted f () = if cancelled f then Atomic.incr reached in
    Scope.run (fun s ->
        Scope.spawn s (counted never);
        ignore
          (all
             [
               counted (fun () -> Scope.run (fun _ -> never ()));
               counted (fun () -> ignore (both never never : unit * unit));
               counted (fun () -> parallel_for ~start:1 ~finish:3 (fun _ -> never ()));
               counted (fun () -> Scope.first [ never; never ]);
             ]
            : unit list))
  in
  Failing.raises "outer" Stop (fun () ->
      Scope.run (fun s ->
          Scope.spawn s wait_in_all;
          let rec later n =
            if n > 0 then (
              await (async ignore);
              later (n - 1))
          in
          later 50;
          Scope.cancel s Stop))
(* How many were reached depends on how many had started; that it ends is the point. *)

let left_of_both () =
  Failing.raises "the right fails while the left waits" Stop (fun () ->
      let here, go = Promise.create () in
      both
        (fun () ->
          Promise.fulfil go ();
          never ())
        (fun () ->
          await here;
          raise Stop))

let right_of_both () =
  Failing.raises "the left fails while the right waits" Stop (fun () ->
      let here, go = Promise.create () in
      both
        (fun () ->
          await here;
          raise Stop)
        (fun () ->
          Promise.fulfil go ();
          never ()))

(* A fork that fails stops what runs beside it, also where that waits for tasks of its own. These
   have begun by then. *)
let beside () =
  let stops name wait =
    let wait_beside () =
      let begun, tell = Promise.create () in
      let task () =
        if not (Promise.is_settled begun) then Promise.fulfil tell ();
        never ()
      in
      both
        (fun () -> wait task)
        (fun () ->
          await begun;
          raise Stop)
    in
    Failing.raises name Stop wait_beside
  in
  stops "scope" (fun task -> Scope.run (fun s -> Scope.spawn s task));
  stops "race" (fun task -> Scope.first [ task ]);
  stops "iterations" (fun task ->
      parallel_for ~start:0 ~finish:1 (fun i -> if i = 0 then await (async ignore) else task ()));
  stops "pool" (fun task -> run ~domains:1 task)

let in_all () =
  Failing.raises "all" Stop (fun () -> all [ never; never; (fun () -> raise Stop); never ])

let in_loop () =
  Failing.raises "loop" Stop (fun () ->
      parallel_for ~start:0 ~finish:20 (fun i -> if i = 15 then raise Stop else never ()))

(* Whoever is cancelled because of a failure is told which, from where it waits. *)
let reasons () =
  let told name combine =
    let found = ref None in
    let begun, tell = Promise.create () in
    let wait () =
      Promise.fulfil tell ();
      match never () with
      | () -> ()
      | exception (Cancelled reason as exn) ->
          found := Some reason;
          raise exn
    and fail () =
      await begun;
      raise Stop
    in
    Failing.raises name Stop (fun () -> Scope.run (fun _ -> combine wait fail));
    if !found <> Some Stop then failwith (name ^ ": another reason")
  in
  let ends wait fail i = if i = 0 then wait () else if i = 2 then fail () in
  told "both" (fun wait fail -> ignore (both wait fail : unit * unit));
  told "both, the other way round" (fun wait fail -> ignore (both fail wait : unit * unit));
  told "all" (fun wait fail -> ignore (all [ wait; fail ] : unit list));
  told "for" (fun wait fail -> parallel_for ~start:0 ~finish:2 (ends wait fail));
  told "for, the other way round" (fun wait fail ->
      parallel_for ~start:0 ~finish:2 (ends fail wait));
  told "map" (fun wait fail ->
      ignore (Drover.Array.map (ends wait fail) [| 0; 1; 2 |] : unit array));
  told "reduce" (fun wait fail ->
      parallel_reduce ~start:0 ~finish:2 ~init:() ~combine:(fun () () -> ()) (ends wait fail));
  told "scope" (fun wait fail ->
      Scope.run (fun s ->
          Scope.spawn s fail;
          wait ()));
  told "scope beside" (fun wait fail ->
      ignore (both (fun () -> Scope.run (fun s -> Scope.spawn s wait)) fail : unit * unit));
  told "nested" (fun wait fail ->
      ignore (all [ (fun () -> ignore (all [ wait ] : unit list)); fail ] : unit list))

let printed () =
  Alcotest.(check (list string))
    "names"
    [ "Drover.Cancelled(Drover.Scope.Timeout)"; "Drover.Chan.Closed" ]
    (List.map Printexc.to_string [ Cancelled Scope.Timeout; Chan.Closed ])

(* Cancelled by another domain, while it computes. *)
let is_stopped compute =
  Failing.raises "computing" Stop (fun () ->
      Scope.run (fun s ->
          let d = Domain.spawn (fun () -> Scope.cancel s Stop) in
          Fun.protect ~finally:(fun () -> Domain.join d) compute))

let stops_loops () =
  is_stopped (fun () -> parallel_for ~start:0 ~finish:max_int ignore);
  is_stopped (fun () ->
      ignore (parallel_reduce ~start:0 ~finish:max_int ~init:0 ~combine:( + ) Fun.id : int))

let stops_forks () =
  let rec forks () =
    ignore (both ignore ignore : unit * unit);
    forks ()
  in
  is_stopped forks

let stops_checks () =
  is_stopped (fun () ->
      while true do
        Scope.check ()
      done)

(* However many elements a piece has. Calls that begin while the scope is being cancelled wait for that: the canceller's
   thread may be off its core for long. *)
let stops_within_a_block () =
  let n = 200_000 in
  let a = Stdlib.Array.init n Fun.id and l = Stdlib.List.init n Fun.id in
  let domains =
    match Pool.current () with Some p -> Pool.size p | None -> Pool.size (Pool.default ())
  in
  let bound = 1000 + ((domains + 1) * 8192) in
  let stops name work =
    let calls = Atomic.make 0 and cancelled = Atomic.make false in
    let call s =
      let earlier = Atomic.fetch_and_add calls 1 in
      if earlier = 1000 then begin
        Scope.cancel s Stop;
        Atomic.set cancelled true
      end
      else if earlier > 1000 then
        while not (Atomic.get cancelled) do
          Domain.cpu_relax ()
        done
    in
    Failing.raises name Stop (fun () -> Scope.run (fun s -> work (fun () -> call s)));
    if Atomic.get calls > bound then
      failwith (Printf.sprintf "%s: %d calls" name (Atomic.get calls))
  in
  let after f v =
    f ();
    v
  in
  stops "for" (fun f -> parallel_for ~start:1 ~finish:n (fun _ -> f ()));
  stops "find" (fun f ->
      ignore (parallel_find_any ~start:1 ~finish:n (fun _ -> after f None) : int option));
  stops "map" (fun f -> ignore (Drover.Array.map (after f) a : int array));
  stops "init" (fun f -> ignore (Drover.Array.init n (after f) : int array));
  stops "iter" (fun f -> Drover.Array.iter (fun _ -> f ()) a);
  stops "filter" (fun f -> ignore (Drover.Array.filter (fun _ -> after f true) a : int array));
  stops "exists" (fun f -> ignore (Drover.Array.exists (fun _ -> after f false) a : bool));
  stops "delayed" (fun f -> Delayed.(iter f (filter (fun _ -> true) (map ignore (of_array a)))));
  stops "delayed scan" (fun f ->
      ignore
        (Delayed.scan ~init:() ~combine:(fun _ () -> f ()) (Delayed.map ignore (Delayed.of_array a))
          : _ Delayed.t));
  stops "sort" (fun f -> Drover.Array.sort (fun x y -> after f (compare y x)) (Stdlib.Array.copy a));
  stops "list map" (fun f -> ignore (Drover.List.map (after f) l : int list));
  stops "all" (fun f -> ignore (all (Stdlib.List.init n (fun _ -> f)) : unit list))

let again () =
  let count = ref 0 in
  Failing.raises "swallowed" Stop (fun () ->
      Scope.run (fun s ->
          Scope.cancel s Stop;
          for _ = 1 to 5 do
            if cancelled never then incr count
          done));
  check_int "each wait" 5 !count

let protected () =
  let cleaned = ref false and inside = ref false in
  Failing.raises "protected" Stop (fun () ->
      Scope.run (fun s ->
          Scope.cancel s Stop;
          Fun.protect
            (fun () -> never ())
            ~finally:(fun () ->
              Scope.protect (fun () ->
                  await (async ignore);
                  Scope.check ();
                  ignore (both (fun () -> await (async ignore)) (fun () -> await (async ignore)));
                  (try
                     Scope.run (fun inner ->
                         Scope.cancel inner Exit;
                         Scope.check ())
                   with Exit -> inside := true);
                  cleaned := true))));
  Alcotest.(check (pair bool bool)) "clean-up, inner scope" (true, true) (!cleaned, !inside)

(* Another domain cancels the outer of two scopes at the moment at which the body of the inner one begins to wait: one of
   the two sees the other. A thousandth of the rounds, or less, meet within the nanoseconds that tell. *)
let as_a_wait_begins () =
  let outer = Atomic.make None and has_ended = Atomic.make false in
  let pause rng =
    for _ = 1 to Random.State.int rng 400 do
      ignore (Sys.opaque_identity rng : Random.State.t)
    done
  in
  let cancel_each () =
    let rng = Random.State.make [| 7 |] in
    while not (Atomic.get has_ended) do
      Option.iter
        (fun s ->
          Atomic.set outer None;
          pause rng;
          Scope.cancel s Stop)
        (Atomic.get outer)
    done
  in
  let join = Stranger.domain cancel_each and rng = Random.State.make [| 8 |] in
  let round () =
    Scope.run (fun s ->
        Scope.run (fun _ ->
            Atomic.set outer (Some s);
            pause rng;
            never ()))
  in
  let rounds () =
    let since = Sys.time () and left = ref 300_000 in
    while !left > 0 && Sys.time () -. since < 2. do
      decr left;
      Failing.raises "cancelled" Stop round
    done
  in
  Fun.protect rounds ~finally:(fun () ->
      Atomic.set has_ended true;
      join ())

(* The room that a burst of half a million tasks takes is given back when its workers have nothing more to do. *)
let burst domains () =
  let p = Pool.create ~domains () in
  let start n =
    Pool.run p (fun () ->
        Scope.run (fun s -> List.iter (Scope.spawn s) (List.init n (fun _ -> ignore))))
  in
  let tasks = 500_000 in
  start 1000;
  let before = Leak.live_words () in
  start tasks;
  (* Not a word for each *)
  while Leak.live_words () - before > tasks do
    Unix.sleepf 0.01
  done;
  Pool.close p

(* What a daemon starts when the tasks have ended is a daemon too. *)
let daemon_spawns () =
  let refused = Atomic.make false and ran = Atomic.make 0 in
  let until_cancelled () =
    while true do
      Scope.check ();
      sleep 0.
    done
  in
  Scope.run (fun s ->
      let started, resolver = Promise.create () in
      let start () =
        Scope.protect (fun () ->
            match Scope.spawn s (fun () -> Atomic.incr ran) with
            | () -> (
                match await (Scope.async s (fun () -> Atomic.incr ran)) with
                | () -> ()
                | exception Cancelled _ -> ())
            | exception Invalid_argument _ -> Atomic.set refused true)
      in
      Scope.daemon s (fun () ->
          Promise.fulfil resolver ();
          Fun.protect until_cancelled ~finally:start);
      await started);
  Stranger.expect "refused" false (Atomic.get refused);
  check_int "ran" 0 (Atomic.get ran)

let daemons () =
  let stopped = ref false in
  let value =
    Scope.run (fun s ->
        Scope.daemon s (fun () -> stopped := cancelled never);
        let started, go = Promise.create () in
        Scope.daemon s (fun () ->
            Promise.fulfil go ();
            never ());
        await started;
        5)
  in
  check_int "value" 5 value;
  Failing.raises "a daemon that fails" Stop (fun () ->
      Scope.run (fun s ->
          Scope.daemon s (fun () -> raise Stop);
          never ()))

let race () =
  check_int "winner" 3 (Scope.first [ never; (fun () -> 3); never ]);
  Failing.raises "a failure wins" Stop (fun () -> Scope.first [ never; (fun () -> raise Stop) ]);
  check_int "alone" 1 (Scope.first [ (fun () -> 1) ]);
  Failing.misuse "Drover.Scope.first" (fun () -> Scope.first [])

let any () =
  let fail n () = Failing.raise_here n in
  check_int "a success wins" 3 (Scope.any [ fail 1; never; (fun () -> 3); never; fail 2 ]);
  check_int "alone" 1 (Scope.any [ (fun () -> 1) ]);
  Failing.check 4 (fun () -> Scope.any [ fail 4 ]);
  Failing.misuse "Drover.Scope.any" (fun () -> Scope.any []);
  (* Each fails when the one before has: on one domain nothing comes between the two steps. *)
  attached [ 1; 2; 3 ] (fun () ->
      run ~domains:1 @@ fun () ->
      let failed = Array.init 4 (fun _ -> Promise.create ()) in
      let fail_in_turn n () =
        if n > 0 then await (fst failed.(n - 1));
        Promise.fulfil (snd failed.(n)) ();
        Failing.raise_here n
      in
      Scope.any (List.init 4 fail_in_turn));
  Failing.raises "cancelled from outside" Stop (fun () ->
      Scope.run (fun s ->
          Scope.spawn s (fun () -> raise Stop);
          Scope.any [ never; never ]))

let after_end () =
  let s = Scope.run Fun.id in
  Failing.misuse "Drover.Scope.spawn" (fun () -> Scope.spawn s ignore);
  Scope.cancel s Stop

let other_pools () =
  Failing.raises "a pool inside" Stop (fun () ->
      Scope.run (fun s ->
          Scope.spawn s (fun () -> run ~domains:2 never);
          Scope.spawn s (fun () ->
              run ~domains:1 (fun () -> ignore (both never never : unit * unit)));
          await (async ignore);
          raise Stop))

(* Local values *)

let key = Local.create 0

let locals () =
  check_int "default" 0 (Local.get key);
  Local.with_value key 1 (fun () ->
      check_int "set" 1 (Local.get key);
      let seen =
        all
          (List.init 20 (fun i () ->
               Local.with_value key (10 + i) (fun () ->
                   await (async ignore);
                   check_int "own" (10 + i) (Local.get key));
               Local.get key))
      in
      Alcotest.(check (list int)) "inherited by forks" (List.init 20 (fun _ -> 1)) seen;
      check_int "by a task" 1 (await (async (fun () -> Local.get key)));
      check_int "by a pool" 1 (run ~domains:2 (fun () -> Local.get key));
      Scope.run (fun s ->
          check_int "by a scope" 1 (await (Scope.async s (fun () -> Local.get key))));
      parallel_for ~start:1 ~finish:50 (fun i ->
          if i mod 7 = 0 then await (async ignore);
          check_int "by a loop" 1 (Local.get key));
      check_int "restored" 1 (Local.get key));
  check_int "default again" 0 (Local.get key)

(* The forks of outer extents are published while an inner one is current. *)
let locals_of_forks () =
  let rec go depth =
    if depth > 0 then begin
      let (), () =
        both
          (fun () -> Local.with_value key depth (fun () -> go (depth - 1)))
          (fun () -> check_int "the maker's" (if depth = 30 then 0 else depth + 1) (Local.get key))
      in
      ()
    end
    else await (async ignore)
  in
  go 30

let () =
  Alcotest.run "unit scope"
    [
      ( "scope",
        [
          case "joins" joins;
          case "promises" promise;
          case "body fails" body_fails;
          case "task fails" task_fails;
          case "backtrace" named;
          case "several fail" several;
          case "several fail in both, all and loops" several_elsewhere;
          case "several scopes fail" in_order_of_time;
          case "failure when cancelled" fails_when_cancelled;
          case "cancelled by hand" by_hand;
          case "unstarted tasks are skipped" skipped;
          case "what was acquired for a task" released;
          Watchdog.case "a release is masked" released_masked;
          case "a release that fails" release_fails;
          case "an inner scope alone" inner_only;
          case "from outside" from_outside;
          case "daemons" daemons;
          case "a daemon that spawns" daemon_spawns;
          Watchdog.case "a burst of tasks, on one domain" (burst 1);
          Watchdog.case "a burst of tasks, on two domains" (burst 2);
          case "first" race;
          case "any" any;
          case "after its end" after_end;
          case "other pools" other_pools;
        ] );
      ( "cancellation",
        [
          case "left of both" left_of_both;
          case "right of both" right_of_both;
          case "beside a failure" beside;
          case "reasons" reasons;
          Watchdog.case "printed names" printed;
          case "all" in_all;
          case "loop" in_loop;
          case "stops loops" stops_loops;
          case "stops forks" stops_forks;
          case "stops checks" stops_checks;
          case "stops within a block" stops_within_a_block;
          case "again at each wait" again;
          Watchdog.case "as a wait begins" (fun () -> run ~domains:1 as_a_wait_begins);
          case "protect" protected;
        ] );
      ("local", [ case "inherited" locals; case "of forks" locals_of_forks ]);
    ]
