(* Lazy values, and things to do once. *)

open Test_support
open Drover
open Stdlib
module Lazy = Drover.Lazy

let states () =
  let l = Lazy.from_fun (fun () -> 1) in
  Alcotest.(check bool) "not forced" false (Lazy.is_val l);
  Alcotest.(check int) "value" 1 (Lazy.force l);
  Alcotest.(check bool) "forced" true (Lazy.is_val l);
  Alcotest.(check int) "from_val" 2 (Lazy.force (Lazy.from_val 2));
  Alcotest.(check bool) "from_val is forced" true (Lazy.is_val (Lazy.from_val 2))

let mapped () =
  let calls = ref 0 in
  let f x =
    incr calls;
    x + 1
  in
  let delayed () = Lazy.from_fun (fun () -> 1) in
  let l = Lazy.map f (Lazy.from_val 1) in
  Alcotest.(check int) "map waits" 0 !calls;
  Alcotest.(check int) "map" 2 (Lazy.force_val l);
  let l = Lazy.map_val f (Lazy.from_val 1) in
  Alcotest.(check int) "map_val of a value does not" 2 !calls;
  Alcotest.(check int) "map_val of a value" 2 (Lazy.force l);
  let l = Lazy.map_val f (delayed ()) in
  Alcotest.(check int) "map_val waits" 2 !calls;
  Alcotest.(check int) "map_val" 2 (Lazy.force l);
  Alcotest.(check int) "once each" 3 !calls

let remembers_failure () =
  let calls = ref 0 in
  let l =
    Lazy.from_fun (fun () ->
        incr calls;
        Failing.raise_here 3)
  in
  Failing.check 3 (fun () -> Lazy.force l);
  Failing.check 3 (fun () -> Lazy.force l);
  Alcotest.(check int) "called once" 1 !calls;
  Alcotest.(check bool) "no value" false (Lazy.is_val l)

(* In every place at once; the function waits in the middle. *)
let everywhere use () =
  let calls = Atomic.make 0 in
  let f () =
    Atomic.incr calls;
    await (async (fun () -> Thread.yield ()))
  in
  let use = use f in
  let user (place : Place.t) = Stranger.thread (fun () -> place.call use) in
  List.iter (fun join -> join ()) (List.map user Place.all);
  Alcotest.(check int) "called once" 1 (Atomic.get calls)

let forcing f =
  let l = Lazy.from_fun f in
  fun () -> Lazy.force l

(* The function is forgotten, and the value is not kept by more than the lazy value. *)
let forgets () =
  let reach = Reach.create () in
  let big = Reach.watch reach (ref 0) in
  let l = Lazy.from_fun (fun () -> !big) in
  ignore (Lazy.force l : int);
  Alcotest.(check int) "what the function refers to" 0 (Reach.alive reach);
  Alcotest.(check bool) "forced" true (Lazy.is_val l)

(* Whoever was cancelled says nothing about the value: the next one calls the function. *)
let cancelled use domains () =
  run ~domains (fun () ->
      let calls = Atomic.make 0 and begun, begin_ = Promise.create () in
      let f () =
        if Atomic.fetch_and_add calls 1 = 0 then begin
          Promise.fulfil begin_ ();
          await (fst (Promise.create ()))
        end
      in
      let use = use f in
      let lose () =
        Scope.run (fun s ->
            Scope.spawn s use;
            await begun;
            Scope.cancel s Exit)
      in
      let another =
        async (fun () ->
            await begun;
            use ())
      in
      Alcotest.check_raises "the scope" Exit lose;
      await another;
      use ();
      Alcotest.(check int) "calls" 2 (Atomic.get calls))

let forced_by_itself () =
  let rec l = lazy (Lazy.from_fun (fun () -> 1 + Lazy.force (Stdlib.Lazy.force l))) in
  let force () = Lazy.force (Stdlib.Lazy.force l) in
  Failing.misuse "Drover.Lazy.force: " force;
  Failing.misuse "Drover.Lazy.force: " (fun () -> run ~domains:1 force)

let () =
  Alcotest.run "unit lazy"
    [
      ( "lazy",
        [
          Watchdog.case "states" states;
          Watchdog.case "mapped" mapped;
          Watchdog.case "remembers a failure" remembers_failure;
          Watchdog.case "everywhere" (everywhere forcing);
          Watchdog.case "cancelled, 1 domain" (cancelled forcing 1);
          Watchdog.case "cancelled, 2 domains" (cancelled forcing 2);
          Watchdog.case "by itself" forced_by_itself;
          Watchdog.case "forgets" forgets;
        ] );
    ]
