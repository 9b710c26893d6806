(* Whose context it is: what runs beside a task, or interrupts a worker, does not act as its task; and
   the context of a scope or a local value follows the code. *)

open Test_support
open Drover
open Stdlib

let key = Local.create "nobody's"

(* From any thread. *)
let check_name what expected = Stranger.expect what expected (Local.get key)

(* Threads beside a task *)

let yield_until f =
  while not (f ()) do
    Thread.yield ()
  done

(* [f ~beside] in a task, [depth] forks deep, while another thread of the same domain calls
   [beside]. *)
let with_thread ~depth ~beside f =
  run ~domains:1 (fun () ->
      let rec nest n = if n > 0 then fst (both (fun () -> nest (n - 1)) ignore) else innermost ()
      and innermost () =
        let thread = Thread.create beside () in
        Fun.protect f ~finally:(fun () -> Thread.join thread)
      in
      nest depth)

(* The first two forks are public, so the third is private, and the thread's would lie above it. *)
let depth = 3

(* Fails in its own thread, while the task waits and has published its forks. *)
let failing_thread () =
  let pushed = Atomic.make false and go = Atomic.make false and got = Atomic.make None in
  let wait_there () =
    Atomic.set pushed true;
    yield_until (fun () -> Atomic.get go)
  in
  let beside () =
    match both wait_there (fun () -> raise Exit) with
    | _ -> ()
    | exception exn -> Atomic.set got (Some exn)
  in
  with_thread ~depth ~beside (fun () ->
      yield_until (fun () -> Atomic.get pushed);
      let promise, resolver = Promise.create () in
      let later () =
        Thread.delay 0.01;
        Promise.fulfil resolver ()
      in
      let thread = Thread.create later () in
      Fun.protect
        (fun () -> await promise)
        ~finally:(fun () ->
          Atomic.set go true;
          Thread.join thread));
  Stranger.expect "the thread's own failure" (Some Exit) (Atomic.get got)

(* The end of a scope, or of a local value, carried to a thread beside the task by an effect handler. *)

type _ Effect.t += Carry : unit Effect.t

let carried_to_thread within () =
  with_thread ~depth:0 ~beside:ignore (fun () ->
      let rest =
        match within (fun () -> Effect.perform Carry) with
        | () -> ignore
        | effect Carry, k -> fun () -> (Effect.Deep.continue k ()) ()
      in
      Local.with_value key "the task's" (fun () ->
          Thread.join (Thread.create rest ());
          check_name "in the task" "the task's"))

let is_nowhere () =
  let refused =
    match Drover_bridge.canceller () with
    | (_ : exn -> unit) -> false
    | exception Invalid_argument _ -> true
  in
  Option.is_none (Pool.current ()) && refused && Local.get key = "nobody's"

let thread_is_in_no_task () =
  let ended = Atomic.make 0 and wrong = Atomic.make 0 in
  let check () = if not (is_nowhere ()) then Atomic.incr wrong in
  let beside () =
    check ();
    ignore (both (fun () -> check_name "in the thread's fork" "nobody's") ignore);
    Atomic.incr ended
  in
  with_thread ~depth ~beside (fun () ->
      Local.with_value key "the task's" (fun () ->
          yield_until (fun () -> Atomic.get ended = 1);
          check_name "in the task" "the task's"));
  Stranger.expect "wrong" 0 (Atomic.get wrong)

(* The thread's call ends while the task publishes its forks. *)
let run_once n =
  let pushed = Atomic.make false and go = Atomic.make false and ran = Atomic.make 0 in
  let wait_there () =
    Atomic.set pushed true;
    yield_until (fun () -> Atomic.get go)
  in
  let beside () = ignore (both wait_there (fun () -> Atomic.incr ran)) in
  let switch () =
    Atomic.set go true;
    for _ = 1 to 10 do
      Thread.yield ()
    done
  in
  with_thread ~depth ~beside (fun () ->
      yield_until (fun () -> Atomic.get pushed);
      let promise, resolver = Promise.create () in
      let later = Thread.create (fun () -> Promise.fulfil resolver ()) () in
      Interrupted.at (Interrupted.nth n) switch (fun () -> await promise);
      Atomic.set go true;
      Thread.join later);
  Stranger.expect (Printf.sprintf "runs at %d" n) 1 (Atomic.get ran)

let all_once () =
  for n = 1 to 80 do
    run_once n
  done

(* Two threads of a domain enter two pools; whichever comes second only waits. *)
let two_pools () =
  let pools = List.map (fun name -> Pool.create ~name ~domains:2 ()) [ "a"; "b" ] in
  let use p =
    Stranger.expect "the pool" true
      (Pool.run p (fun () -> Option.fold ~none:false ~some:(( == ) p) (Pool.current ())))
  in
  let round n =
    let stop = Atomic.make false and ended = Atomic.make 0 in
    let other () =
      while not (Atomic.get stop) do
        use (List.nth pools 1);
        Atomic.incr ended
      done
    in
    let wait = Stranger.thread other in
    let switch () =
      let before = Atomic.get ended in
      yield_until (fun () -> Atomic.get ended > before)
    in
    Fun.protect
      (fun () -> Interrupted.at (Interrupted.nth n) switch (fun () -> use (List.hd pools)))
      ~finally:(fun () ->
        Atomic.set stop true;
        wait ())
  in
  for n = 1 to 40 do
    round n
  done;
  List.iter Pool.close pools

(* Handlers between two tasks *)

(* The only worker, which is the main thread, looks for work or sleeps. *)
let with_handler handler f =
  let before = Sys.signal Sys.sigusr1 (Signal_handle handler) in
  Fun.protect f ~finally:(fun () -> Sys.set_signal Sys.sigusr1 before)

let kill () = Unix.kill (Unix.getpid ()) Sys.sigusr1

let handler_ends_the_wait () =
  for _ = 1 to 100 do
    let promise, resolver = Promise.create () in
    with_handler
      (fun _ -> Promise.fulfil resolver ())
      (fun () ->
        let wait = ref ignore in
        run ~domains:1 (fun () ->
            wait := Stranger.thread kill;
            await promise);
        !wait ())
  done

let refuses f = match f () with _ -> false | exception Invalid_argument _ -> true

let handler_is_in_no_task () =
  let promise, resolver = Promise.create () and asleep = Atomic.make false in
  let found = ref [] and me = Thread.id (Thread.self ()) in
  let handler _ =
    (* The task itself may still run, and any thread may run the handler. *)
    let is_worker = Thread.id (Thread.self ()) = me in
    if is_worker && Atomic.get asleep && Option.is_none (Pool.current ()) then begin
      found :=
        [
          is_nowhere ();
          both (fun () -> 1) (fun () -> 2) = (1, 2);
          refuses (fun () -> parallel_for ~start:1 ~finish:2 ignore);
          refuses (fun () -> await promise);
          refuses (fun () -> Scope.run ignore);
        ];
      Promise.fulfil resolver ()
    end
  in
  with_handler handler (fun () ->
      let wait = ref ignore in
      run ~domains:1 (fun () ->
          let rec pester () =
            if not (Promise.is_settled promise) then begin
              kill ();
              Thread.delay 0.0001;
              pester ()
            end
          in
          wait := Stranger.thread pester;
          Atomic.set asleep true;
          Local.with_value key "the task's" (fun () -> await promise));
      !wait ());
  Alcotest.(check (list bool)) "all as it should be" [ true; true; true; true; true ] !found

(* A callback in the middle of a task's wait: what it does there, and waits for, leaves the wait to be
   ended by a cancellation. *)
let in_a_wait callback () =
  let wait () = await (fst (Promise.create ())) in
  let round n =
    match Scope.with_timeout 0.005 (fun () -> Interrupted.at (Interrupted.nth n) callback wait) with
    | () -> Alcotest.fail "the wait has ended"
    | exception Scope.Timeout -> ()
  in
  for n = 1 to 60 do
    run ~domains:1 (fun () -> round n)
  done

let waits () = ignore (refuses (fun () -> await (fst (Promise.create ()))) : bool)
let has_scope () = ignore (refuses (fun () -> Scope.run ignore) : bool)
let uses_pool () = ignore (refuses (fun () -> run ~domains:1 (fun () -> both ignore ignore)) : bool)

let () =
  Alcotest.run "unit identity"
    [
      ( "threads",
        [
          Watchdog.case "one that fails" failing_thread;
          Watchdog.case "in no task" thread_is_in_no_task;
          Watchdog.case "each side runs once" all_once;
          Watchdog.case "two pools" two_pools;
          Watchdog.case "a scope ends there"
            (carried_to_thread (fun f -> Scope.run (fun _ -> f ())));
          Watchdog.case "a local value ends there"
            (carried_to_thread (Local.with_value key "the thread's"));
        ] );
      ( "handlers",
        [
          Watchdog.case "ends the wait" handler_ends_the_wait;
          Watchdog.case "in no task" handler_is_in_no_task;
        ] );
      ( "callbacks in a wait",
        [
          Watchdog.case "is refused to wait" (in_a_wait waits);
          Watchdog.case "uses another pool" (in_a_wait uses_pool);
          Watchdog.case "has a scope" (in_a_wait has_scope);
        ] );
    ]
