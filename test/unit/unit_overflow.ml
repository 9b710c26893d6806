(* The stack of one task, or thread, is nearly full, and each call may be the one that it has no room for. That
   fails alone: what it was to bring about comes about, or has not begun. *)

open Test_support
module Promise = Drover.Promise
module Scope = Drover.Scope
module Pool = Drover.Pool

(* In words, and in frames of two words. With less than the least a finaliser finds no room for its call: then OCaml
   5.4 takes it for one that runs still, and runs no other on that domain, until [Gc.finalise_release]. *)
let limit = 16 * 1024
let least = 8
let most = 280
let pause = 1e-4 (* seconds *)

(* [program deep] calls [deep] with what lies deep, and waits then for all that others wait for. *)
let at_each_depth domains program () =
  let before = Gc.get () in
  Gc.set { before with stack_limit = limit };
  Fun.protect
    ~finally:(fun () -> Gc.set before)
    (fun () ->
      for n = least to most do
        let deep f = try Room.within n f with Stack_overflow -> () in
        Drover.run ~domains (fun () -> program deep)
      done)

let nap () = Drover.sleep 0.

(* What a task serves on its way: a timer that is due, for another one. *)

let timer_is_due () =
  let task = Begun.task (fun () -> Drover.sleep pause) in
  Unix.sleepf (2. *. pause);
  task

let serves_timers here deep =
  let task = timer_is_due () in
  deep here;
  Drover.await task

let check = serves_timers Scope.check
let await = serves_timers (fun () -> Drover.await (Drover.async ignore))
let loop = serves_timers (fun () -> Drover.parallel_for ~start:1 ~finish:20 ignore)
let collection = serves_timers Gc.minor

(* After a collection, whose finaliser found no room, comes another, in which a fork is offered. *)
let offers deep =
  deep Gc.minor;
  let is_over = Atomic.make false in
  let rec go_on () =
    if not (Atomic.get is_over) then begin
      Gc.minor ();
      go_on ()
    end
  in
  ignore (Drover.both go_on (fun () -> Atomic.set is_over true) : unit * unit)

(* Who sleeps is woken, or not called. *)
let starts deep =
  Unix.sleepf (10. *. pause);
  let tasks = ref [] in
  deep (fun () -> tasks := Drover.async nap :: !tasks);
  List.iter Drover.await !tasks

(* What failed to begin has left the caller's code as it was: it is interrupted. *)
let interrupted deep =
  let rec spin () = if Sys.opaque_identity true then spin () in
  deep (fun () -> Scope.interruptible ignore);
  match Scope.limited ~timeout:pause spin with () -> assert false | exception Scope.Timeout -> ()

(* A task that is begun by who awaits it has as much stack as any other. *)
let awaits deep =
  let need = limit / 8 in
  let rec count n = if n = 0 then 0 else 1 + count (n - 1) in
  let task = Drover.async (fun () -> count need) in
  deep (fun () -> ignore (Drover.await task : int));
  Alcotest.(check int) "its depth" need (Drover.await task)

(* Ends *)

let settles deep =
  let rec follow n p = if n = 0 then p else follow (n - 1) (Promise.map ignore p) in
  let p, r = Promise.create () in
  let last = Begun.task (fun () -> Drover.await (follow 50 p)) in
  deep (Promise.fulfil r);
  if not (Promise.is_settled p) then Promise.fulfil r ();
  Drover.await last

(* Tasks of scopes that lie in each other; [f] runs when all have begun. *)
let in_scopes f =
  let all_are_there = Drover.Latch.create 1 in
  let rec nest n =
    if n = 0 then begin
      Drover.Latch.count_down all_are_there;
      Drover.sleep 60.
    end
    else Scope.run (fun s -> Scope.spawn s (fun () -> nest (n - 1)))
  in
  Scope.run (fun s ->
      Scope.spawn s (fun () -> nest 60);
      Drover.Latch.wait all_are_there;
      f s)

let cancels deep =
  let cancel s =
    deep (fun () -> Scope.cancel s Exit);
    Scope.cancel s Exit
  in
  match in_scopes cancel with () -> assert false | exception Exit -> ()

let times_out deep =
  let wait _ = Drover.sleep 60. in
  let late () =
    match Scope.with_timeout (20. *. pause) (fun () -> in_scopes wait) with
    | () -> assert false
    | exception Scope.Timeout -> ()
  in
  let task = Begun.task late in
  Unix.sleepf (21. *. pause);
  deep Scope.check;
  Drover.await task

let scopes deep =
  let spawned = ref 0 and ended = ref 0 in
  let spawn s =
    Scope.spawn s ~finally:(fun () -> incr ended) nap;
    incr spawned
  in
  Scope.run (fun s ->
      deep (fun () -> spawn s);
      deep (fun () ->
          Scope.run (fun s ->
              Scope.daemon s (fun () -> Drover.sleep 60.);
              spawn s)));
  Alcotest.(check bool) "all that began have ended" true (!ended >= !spawned)

let permits deep =
  let permits = Drover.Semaphore.create 1 in
  Scope.run (fun s -> deep (fun () -> Drover.Semaphore.spawn permits s nap));
  Alcotest.(check int) "permits" 1 (Drover.Semaphore.free permits)

(* Other pools, and threads *)

let in_thread f = Thread.join (Thread.create f ())

let other domains deep =
  let p = Pool.create ~domains () in
  deep (fun () -> Pool.run p nap);
  deep (fun () -> Drover.await (Pool.async p nap));
  in_thread (fun () -> deep (fun () -> Pool.run p nap));
  in_thread (fun () -> deep (fun () -> Drover.await (Pool.async p nap)));
  deep (fun () -> Pool.close p);
  Pool.close p

let runs deep =
  deep (fun () -> Drover.run ~domains:2 nap);
  in_thread (fun () -> deep (fun () -> Drover.run ~domains:2 nap))

let cases =
  [
    ("a check serves a timer", check);
    ("an await serves a timer", await);
    ("a loop serves a timer", loop);
    ("a collection serves a timer", collection);
    ("a start", starts);
    ("code that is interrupted", interrupted);
    ("a task on top of another", awaits);
    ("promises that follow", settles);
    ("scopes that are cancelled", cancels);
    ("a time limit", times_out);
    ("scopes", scopes);
    ("permits of tasks", permits);
    ("another pool, of one", other 1);
    ("another pool, of two", other 2);
    ("runs", runs);
  ]

let () =
  Promise.on_unawaited_failure (fun _ _ -> ());
  let on domains =
    List.map (fun (name, program) -> Watchdog.case name (at_each_depth domains program))
  in
  Alcotest.run "overflow"
    [
      ("one domain", on 1 cases);
      ("two domains", on 2 (("a fork after a collection", offers) :: cases));
    ]
