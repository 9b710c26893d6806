(* What raises at any allocation loses no task, no outcome and no place. *)

open Test_support

exception Break

let interrupted_at moment f = Interrupted.raising moment Break f

let check_several times =
  if times < 5 then Alcotest.failf "only %d allocations were interrupted" times

let detach work = Detached.detach work
let in_flight () = Limit.in_flight Detached.of_all

let rec until_none_in_flight () =
  if in_flight () > 0 then Lwt.bind (Lwt_unix.sleep 0.0005) until_none_in_flight
  else Lwt.return_unit

(* The loop goes on, and a task that was accepted has an outcome. *)
let finish promise expected =
  (* Lwt's own functions may have been interrupted too. *)
  Lwt.abandon_wakeups ();
  let outcome promise =
    Lwt.try_bind
      (fun () -> promise)
      (fun v -> Lwt.return (v = expected))
      (fun exn -> Lwt.return (exn = Break))
  in
  let promises = Option.to_list promise @ [ detach (fun () -> expected) ] in
  let right =
    Lwt_main.run
      (Lwt.bind
         (Lwt.all (List.map outcome promises))
         (fun right -> Lwt.map (fun () -> right) (until_none_in_flight ())))
  in
  Alcotest.(check (list bool)) "outcomes" (List.map (fun _ -> true) promises) right

let detaching () =
  let law moment =
    let n = Interrupted.number moment in
    let result = interrupted_at moment (fun () -> detach (fun () -> n)) in
    finish result n
  in
  check_several (Interrupted.at_each law)

let rec until condition =
  if not (condition ()) then begin
    Unix.sleepf 0.0005;
    until condition
  end

(* Waits until there is a job, and runs it without Lwt's main loop. *)
let run_jobs () = Loop.run_some 10

let concluding () =
  let law moment =
    let n = Interrupted.number moment in
    let promise = detach (fun () -> n) in
    until (fun () -> Atomic.get Loop.posted <> []);
    ignore (interrupted_at moment run_jobs : unit option);
    finish (Some promise) n
  in
  check_several (Interrupted.at_each law)

(* One is in flight, and the next starts when it ends. *)
let admitting () =
  Limit.set Detached.of_all 1;
  let law moment =
    let n = Interrupted.number moment in
    let first = detach (fun () -> n) in
    let second = detach (fun () -> n) in
    until (fun () -> Atomic.get Loop.posted <> []);
    ignore (interrupted_at moment run_jobs : unit option);
    finish (Some first) n;
    finish (Some second) n
  in
  check_several (Interrupted.at_each law);
  Limit.set Detached.of_all 1_000

(* On the worker. *)
let computing () =
  let law moment =
    let n = Interrupted.number moment in
    let task () =
      match interrupted_at moment (fun () -> ref (List.init 3 Fun.id)) with
      | Some _ -> n
      | None -> raise Break
    in
    finish (Some (detach task)) n
  in
  ignore (Interrupted.at_each law : int)

(* Whoever is interrupted leaves nothing behind; the function is called at most once. *)
let waiting () =
  let law moment =
    let n = Interrupted.number moment in
    let calls = ref 0 in
    let f () =
      incr calls;
      Lwt.return n
    in
    let result = interrupted_at moment (fun () -> Main_loop.call "run_in_main" f) in
    Alcotest.(check bool) "nobody waits" false (Waits.somebody_waits ());
    Alcotest.(check bool) "no value" true (Option.is_none result);
    finish None n;
    Alcotest.(check bool) "calls" true (!calls <= 1)
  in
  (* About as many come before it waits for seconds. *)
  check_several (Interrupted.at_each ~most:40 law)

(* The outcome comes though the loop's part of it is interrupted. *)
let answering () =
  (* Lwt hands what is raised in its callbacks to this. *)
  let hook = !Lwt.async_exception_hook in
  Lwt.async_exception_hook := raise;
  let law moment =
    let n = Interrupted.number moment in
    let calls = ref 0 in
    let f () =
      incr calls;
      Lwt.return n
    in
    let answer = Drover.async (fun () -> Main_loop.call "run_in_main" f) in
    until (fun () -> Atomic.get Loop.posted <> []);
    ignore (interrupted_at moment run_jobs : unit option);
    finish None n;
    (match Drover.await answer with
    | value -> Alcotest.(check int) "value" n value
    | exception Break -> ());
    Alcotest.(check bool) "calls" true (!calls <= 1)
  in
  check_several (Interrupted.at_each law);
  Lwt.async_exception_hook := hook

let () =
  Alcotest.run "inside lwt"
    [
      ( "interrupted at any allocation",
        [
          Watchdog.case "detach" detaching;
          Watchdog.case "the end of a task" concluding;
          Watchdog.case "the start of another" admitting;
          Watchdog.case "the task" computing;
          Watchdog.case "run_in_main" waiting;
          Watchdog.case "what it calls" answering;
        ] );
    ]
