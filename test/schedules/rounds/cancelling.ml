(* What is cancelled ends, wherever it is, and takes nothing with it. *)

open Case

exception Stop

let stopped s f = match f () with () -> s.complain "not cancelled" | exception Stop -> ()

(* The code of the inner scope begins to wait about when the outer one is cancelled. *)
let nested s =
  let rounds = 60 and round = Atomic.make 0 and scope = Atomic.make None in
  let canceller () =
    for k = 1 to rounds do
      reach round k;
      work s 3_000;
      Option.iter (fun outer -> Drover.Scope.cancel outer Stop) (Atomic.get scope)
    done
  and wait k =
    Drover.Scope.run (fun outer ->
        Atomic.set scope (Some outer);
        Drover.Scope.run (fun _ ->
            Atomic.set round k;
            work s 3_000;
            never ()))
  in
  let canceller = Domain.spawn canceller in
  let play () =
    for k = 1 to rounds do
      stopped s (fun () -> wait k)
    done
  in
  ignore (s.run play : bool);
  Domain.join canceller

(* A fork that begins about when its scope is cancelled by another domain, and is skipped, says by what. *)
let reasons s =
  let rounds = 60 and round = Atomic.make 0 and scope = Atomic.make None in
  let canceller () =
    for k = 1 to rounds do
      reach round k;
      work s 3_000;
      Option.iter (fun scope -> Drover.Scope.cancel scope Stop) (Atomic.get scope)
    done
  and fork k =
    Drover.Scope.run (fun outer ->
        Atomic.set scope (Some outer);
        Atomic.set round k;
        let is_over = ref false in
        while not !is_over do
          match Drover.both (fun () -> work s 3_000) ignore with
          | (), () -> ()
          | exception Drover.Cancelled e ->
              expect s ("cancelled by " ^ Printexc.to_string e) (e = Stop);
              is_over := true
        done)
  in
  let canceller = Domain.spawn canceller in
  let play () =
    for k = 1 to rounds do
      stopped s (fun () -> fork k)
    done
  in
  ignore (s.run play : bool);
  Domain.join canceller

(* Code that only forks begins to do so about when its scope is cancelled by another domain. *)
let forking s =
  let rounds = 60 and round = Atomic.make 0 and ended = Atomic.make 0 in
  let scope = Atomic.make None in
  let canceller () =
    for k = 1 to rounds do
      reach round k;
      work s 1_500;
      Option.iter (fun scope -> Drover.Scope.cancel scope Stop) (Atomic.get scope);
      Atomic.set ended k
    done
  (* Until it is cancelled, and some forks more. *)
  and fork_for_long k =
    let left = ref 2_000 in
    while !left > 0 do
      ignore (Drover.both ignore ignore : unit * unit);
      Machine.Work.busy 20;
      if Atomic.get ended >= k then decr left
    done;
    s.complain "goes on"
  in
  let canceller = Domain.spawn canceller in
  let play () =
    for k = 1 to rounds do
      stopped s (fun () ->
          Drover.Scope.run (fun outer ->
              Atomic.set scope (Some outer);
              Atomic.set round k;
              work s 1_500;
              fork_for_long k))
    done
  in
  ignore (s.run play : bool);
  Domain.join canceller

let spawned s =
  let running = Atomic.make 0 in
  let task _ = within running never in
  let play () =
    stopped s (fun () ->
        Drover.Scope.run (fun scope ->
            for i = 1 to 8 do
              Drover.Scope.spawn scope (fun () -> task i)
            done;
            work s 30_000;
            Drover.Scope.cancel scope Stop));
    equal s "tasks that still run" 0 (Atomic.get running)
  in
  ignore (s.run play : bool)

(* [finally] is called, whether the task has begun or not. *)
let cleaned_up s =
  let released = tally 8 in
  let play () =
    stopped s (fun () ->
        Drover.Scope.run (fun scope ->
            Stdlib.Array.iter
              (fun n ->
                let finally () = one_more n in
                Drover.Scope.spawn scope ~finally (fun () -> work s 20_000))
              released;
            work s 20_000;
            raise Stop))
  in
  if s.run play then each_once s "released" released

(* A receive that was cancelled has received nothing. Limits are longer after each one that was too short: where threads are delayed, a limit may be over before the receive has
   begun, each time. *)
let timeouts s =
  let chan = Drover.Chan.rendezvous () and seen = tally 20 in
  let rec receive limit =
    match Drover.Scope.with_timeout limit (fun () -> Drover.Chan.recv chan) with
    | m ->
        one_more seen.(m);
        receive 2e-5
    | exception Drover.Scope.Timeout -> receive (2. *. limit)
    | exception Drover.Chan.Closed -> ()
  in
  let send () =
    for m = 0 to 19 do
      work s 40_000;
      Drover.Chan.send chan m
    done;
    Drover.Chan.close chan
  in
  if s.run (fun () -> beside s ~tasks:3 (fun _ -> receive 2e-5) send) then
    each_once s "message" seen

let first s =
  let running = Atomic.make 0 in
  let racer _ () =
    within running (fun () -> Drover.sleep (float (Random.State.int s.random 100) *. 1e-6))
  in
  let play () =
    for _ = 1 to 5 do
      Drover.Scope.first (Stdlib.List.init 4 racer);
      equal s "racers that still run" 0 (Atomic.get running)
    done
  in
  ignore (s.run play : bool)

let daemons s =
  let running = Atomic.make 0 in
  let daemon () = within running never in
  let play () =
    for _ = 1 to 5 do
      Drover.Scope.run (fun scope ->
          Drover.Scope.daemon scope daemon;
          Drover.Scope.spawn scope (fun () -> Drover.Scope.daemon scope daemon);
          work s 20_000);
      equal s "daemons that still run" 0 (Atomic.get running)
    done
  in
  ignore (s.run play : bool)

let brackets s =
  let acquired = Atomic.make 0 and released = Atomic.make 0 in
  let hold _ =
    Drover.Scope.bracket
      ~acquire:(fun () -> one_more acquired)
      ~release:(fun () ->
        work s 5_000;
        one_more released)
      (fun () -> Drover.sleep 1e-3)
  in
  let play () = stopped s (fun () -> beside s ~tasks:8 hold (fun () -> raise Stop)) in
  ignore (s.run play : bool);
  equal s "released" (Atomic.get acquired) (Atomic.get released)

(* The failure of one side stops the other. *)
let forks s =
  let fail () =
    work s 20_000;
    raise Stop
  in
  let play () =
    for _ = 1 to 5 do
      stopped s (fun () -> ignore (Drover.both never fail : unit * unit));
      stopped s (fun () ->
          Drover.parallel_for ~start:0 ~finish:7 (fun i -> if i = 5 then fail () else never ()))
    done
  in
  ignore (s.run play : bool)

let all =
  [
    case "a scope within a cancelled one" nested;
    case "a cancelled scope that forks" forking;
    case "why forks are skipped" reasons;
    case "tasks of a cancelled scope" spawned;
    case "finally" cleaned_up;
    case "timeouts around receives" timeouts;
    case "first" first ~handler:Raises;
    case "daemons" daemons ~handler:Raises;
    case "brackets" brackets ~handler:Raises;
    case "forks and loops that fail" forks;
  ]
