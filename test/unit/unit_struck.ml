(* An exception comes at any allocation of the main thread, once, as that of a handler of Ctrl-C does, while
   it works for a pool. The run ends all the same, and its pool closes; what others wait for has come to its
   end, and what was acquired for a task was given back. *)

open Test_support
open Struck
module Promise = Drover.Promise
module Scope = Drover.Scope

(* Who awaits a task in a task of its own hears of its end. *)
let failing_tasks () =
  let tasks = ref [] in
  let fails () = raise Own in
  let waits () = try Drover.await (Drover.async fails) with Own -> () in
  let program () =
    for _ = 1 to 3 do
      tasks := Drover.async waits :: !tasks
    done;
    List.iter Drover.await !tasks
  in
  (program, fun () -> check "settled" (List.for_all Promise.is_settled !tasks))

(* A run goes on with the tasks that it leaves behind. *)
let tasks_left () =
  let tasks = ref [] in
  let program () =
    for _ = 1 to 2 do
      tasks := Drover.async (fun () -> Drover.sleep 0.) :: !tasks
    done
  in
  (program, fun () -> check "settled" (List.for_all Promise.is_settled !tasks))

(* Parts of a batch, and what comes meanwhile. *)
let batches () =
  let sum = ref 0 in
  let apply ops =
    Drover.sleep 0.;
    Array.iter (fun n -> sum := !sum + n) ops
  in
  let batch = Drover.Batch.create apply in
  let submit () = Drover.Batch.submit batch 1 in
  ( (fun () -> ignore (Drover.all (List.init 8 (fun _ -> submit)) : unit list)),
    fun () ->
      let before = !sum in
      submit ();
      Alcotest.(check int) "the object is at rest" (before + 1) !sum )

let by_one () =
  let sum = ref 0 in
  let add n = sum := !sum + n in
  let one n =
    Drover.sleep 0.;
    add n;
    true
  in
  let batch = Drover.Batch.create ~one (Array.iter add) in
  let submit () = Drover.Batch.submit batch 1 in
  ( (fun () -> ignore (Drover.all (List.init 6 (fun _ -> submit)) : unit list)),
    fun () ->
      let before = !sum in
      submit ();
      Alcotest.(check int) "the object is at rest" (before + 1) !sum )

(* A task of a scope, or its start, gives back what was acquired for it, once. *)
let scopes () =
  let acquired = ref 0 and released = Atomic.make 0 in
  let program () =
    Scope.run (fun s ->
        Scope.daemon s (fun () -> Drover.sleep 10.);
        for i = 1 to 4 do
          let finally = Some (fun () -> ignore (Atomic.fetch_and_add released 1 : int))
          and task () = if i = 3 then raise Own else Drover.sleep 0. in
          (* The strike does not come in between. *)
          incr acquired;
          Scope.spawn s ?finally task
        done)
  in
  (program, fun () -> Alcotest.(check int) "released" !acquired (Atomic.get released))

(* [call f] is over when [f] is, also when it raises; and then [f] does not begin. *)
let within call f =
  let is_inside = Atomic.make false
  and is_over = Atomic.make false
  and is_late = Atomic.make false in
  let[@poll error] enter () = ignore (Atomic.exchange is_inside true : bool) in
  let[@poll error] leave () = ignore (Atomic.exchange is_inside false : bool) in
  let body () =
    match
      enter ();
      if Atomic.get is_over then Atomic.set is_late true;
      f ()
    with
    | () -> leave ()
    | exception exn ->
        leave ();
        raise exn
  in
  let program () =
    match call body with
    | () -> check "it is over" (not (Atomic.get is_inside))
    | exception exn ->
        check "it is over" (not (Atomic.get is_inside));
        Atomic.set is_over true;
        raise exn
  in
  (program, fun () -> check "it did not begin afterwards" (not (Atomic.get is_late)))

let other_pools () =
  let pool = Drover.Pool.create ~domains:1 () in
  let nap () = Drover.sleep 0.0001 in
  let program, check_after = within (Drover.Pool.run pool) nap in
  ( program,
    fun () ->
      Drover.Pool.run pool nap;
      Drover.Pool.close pool;
      check_after () )

let from_outside () =
  let pool = Drover.Pool.create ~domains:1 () and tasks = ref [] in
  let program () = tasks := Drover.Pool.async pool ignore :: !tasks in
  ( program,
    fun () ->
      List.iter Drover.await !tasks;
      Drover.Pool.close pool )

(* What is queued runs before the next call. *)
let blocking_calls () =
  let program, check_after = within Drover.blocking (fun () -> Thread.delay 0.0001) in
  ( program,
    fun () ->
      Drover.run ~domains:1 (fun () -> Drover.blocking ignore);
      check_after () )

(* A task that bears the strike goes on in its own context, and may be interrupted there. *)
let contexts () =
  let local = Drover.Local.create 0 and ends_in_time = ref true in
  let bear f = try f () with Struck | Own -> () in
  let stop () =
    Scope.run (fun s ->
        Scope.interruptible (fun () ->
            Scope.cancel s Own;
            Drover.sleep 0.))
  in
  let program () =
    bear (fun () -> Drover.Local.with_value local 1 (fun () -> Drover.sleep 0.));
    check "the local value" (Drover.Local.get local = 0);
    bear stop;
    bear (fun () ->
        Drover.parallel_for ~grain:1 ~start:0 ~finish:3 (fun i ->
            if i = 2 then raise Own else Drover.sleep 0.));
    Scope.check ();
    let until = Unix.gettimeofday () +. 10. in
    let spin () =
      while Unix.gettimeofday () < until do
        Domain.cpu_relax ()
      done;
      ends_in_time := false
    in
    match Scope.with_timeout 0.0001 (fun () -> Scope.interruptible spin) with
    | () -> ()
    | exception Scope.Timeout -> ()
  in
  (program, fun () -> check "it was interrupted" !ends_in_time)

(* A scope that fails ends what waits in a scope in it. *)
let nested_scopes () =
  let program () =
    let never, _ = Promise.create () and begun, tell = Promise.create () in
    let inside s =
      Scope.spawn s (fun () -> Drover.await never);
      Promise.fulfil tell ()
    in
    Scope.run (fun s ->
        Scope.spawn s (fun () -> Scope.run inside);
        Drover.await begun;
        raise Own)
  in
  (program, ignore)

let loops () =
  let iteration i = if i = 5 then Drover.sleep 0. else ignore (Sys.opaque_identity (ref i)) in
  let program () =
    Drover.parallel_for ~start:1 ~finish:8 iteration;
    ignore (Drover.parallel_reduce ~start:1 ~finish:8 ~init:0 ~combine:( + ) Fun.id : int);
    Drover.parallel_for ~start:1 ~finish:8 (fun i -> if i = 4 then raise Own else iteration i)
  in
  (program, ignore)

let forks () =
  let rec tree n =
    if n = 0 then Drover.sleep 0.
    else ignore (Drover.both (fun () -> tree (n - 1)) (fun () -> tree (n - 1)) : unit * unit)
  in
  let program () =
    tree 3;
    match Drover.both (fun () -> tree 1) (fun () -> raise Own) with
    | (_ : unit * unit) -> ()
    | exception Own -> ()
  in
  (program, ignore)

(* Whatever waits when a scope, a fork or a loop fails hears of it. *)
let cancellations () =
  let never () = Drover.await (fst (Promise.create ())) in
  let fails_when_all_wait n f =
    let waiting = Atomic.make 0 and all_wait, resolver = Promise.create () in
    let wait () =
      if Atomic.fetch_and_add waiting 1 = n - 1 then Promise.fulfil resolver ();
      never ()
    and fail () =
      Drover.await all_wait;
      raise Own
    in
    match f wait fail with () -> () | exception Own -> ()
  in
  let program () =
    fails_when_all_wait 3 (fun wait fail ->
        Scope.run (fun s ->
            Scope.daemon s wait;
            Scope.spawn s wait;
            Scope.spawn s (fun () -> Scope.run (fun s -> Scope.spawn s wait));
            fail ()));
    fails_when_all_wait 1 (fun wait fail -> ignore (Drover.both fail wait : unit * unit));
    fails_when_all_wait 1 (fun wait fail ->
        Drover.parallel_for ~grain:1 ~start:0 ~finish:1 (fun i ->
            if i = 0 then fail () else wait ()))
  in
  (program, ignore)

(* What is allocated on the way from [acquire] to the function is no moment to lose it. *)
let brackets () =
  let acquired = Atomic.make 0 and released = Atomic.make 0 in
  let[@poll error] acquire () = ignore (Atomic.fetch_and_add acquired 1 : int)
  and[@poll error] release () = ignore (Atomic.fetch_and_add released 1 : int) in
  ( (fun () -> Scope.bracket ~acquire ~release ignore),
    fun () -> check "released" (Atomic.get acquired = Atomic.get released) )

let limits () =
  let program () =
    (match Scope.with_timeout 0.0001 (fun () -> Drover.sleep 10.) with
    | () -> ()
    | exception Scope.Timeout -> ());
    ignore (Scope.any [ (fun () -> raise Own); (fun () -> Drover.sleep 0.) ] : unit)
  in
  (program, ignore)

let races () =
  let now () = [ 1 ]
  and later () =
    Drover.sleep 0.;
    [ 2 ]
  in
  let program () =
    ignore (Scope.first ~combine:( @ ) [ later; now ] : int list);
    ignore (Scope.any ~combine:( @ ) [ (fun () -> raise Own); later ] : int list)
  in
  (program, ignore)

(* Each domain of a pool is a thread. One may be gone only a while after its pool was closed. *)
let pools_are_closed () =
  let threads () = try Array.length (Sys.readdir "/proc/self/task") with Sys_error _ -> 0 in
  let use () = Drover.Pool.with_pool ~domains:2 ignore in
  use ();
  let before = threads () in
  let law moment = try Interrupted.at moment strike use with Struck -> () in
  for _ = 1 to 4 do
    ignore (Interrupted.at_each law : int)
  done;
  let rec are_gone tries =
    threads () <= before + 2
    || tries > 0
       && begin
         Thread.delay 0.01;
         are_gone (tries - 1)
       end
  in
  check "no domain is left" (are_gone 500)

(* A call of blocking has the program's signal mask: so a handler may raise there, up to its very end. Its
   thread is not struck in what it does afterwards. *)
let struck_calls () =
  let is_over = Atomic.make false and struck = ref 0 and died = Atomic.make false in
  Thread.set_uncaught_exception_handler (fun _ -> Atomic.set died true);
  Sys.set_signal Sys.sigint (Signal_handle (fun _ -> if not (Atomic.get is_over) then raise Struck));
  let pool = Drover.Pool.create ~domains:2 () in
  let before = Thread.sigmask SIG_BLOCK [ Sys.sigint ] in
  let send () =
    while not (Atomic.get is_over) do
      Unix.kill (Unix.getpid ()) Sys.sigint
    done
  in
  let sender = Domain.spawn send in
  let calls =
    Drover.Pool.async pool (fun () ->
        for _ = 1 to 40_000 do
          try Drover.blocking ignore with Struck -> incr struck
        done)
  in
  (* This thread is not lent, as it has to block the signal. *)
  while not (Promise.is_settled calls) do
    Thread.delay 0.001
  done;
  Atomic.set is_over true;
  Domain.join sender;
  ignore (Thread.sigmask SIG_SETMASK before : int list);
  Sys.set_signal Sys.sigint Signal_default;
  Drover.Pool.close pool;
  Thread.set_uncaught_exception_handler Thread.default_uncaught_exception_handler;
  check "calls were struck" (!struck > 0);
  check "their threads live" (not (Atomic.get died))

let cases =
  [
    ("tasks that fail", failing_tasks);
    ("tasks that are left", tasks_left);
    ("batches", batches);
    ("operations that come alone", by_one);
    ("scopes", scopes);
    ("scopes in scopes", nested_scopes);
    ("loops", loops);
    ("forks", forks);
    ("limits, races", limits);
    ("brackets", brackets);
    ("cancellations", cancellations);
    ("races that combine", races);
  ]

(* A pool of one makes a domain when there is need, and has the least to do: each moment comes. *)
let cases_of_one =
  [
    ("runs in another pool", other_pools);
    ("tasks from outside", from_outside);
    ("calls of blocking", blocking_calls);
    ("contexts", contexts);
  ]

let () =
  Promise.on_unawaited_failure (fun _ _ -> ());
  Alcotest.run "unit struck"
    (on_domains cases
    @ [
        ("a pool of one", on 1 cases_of_one);
        ("pools", [ Watchdog.case "are closed" pools_are_closed ]);
        ("beside", [ Watchdog.case "calls of blocking" struck_calls ]);
      ])
