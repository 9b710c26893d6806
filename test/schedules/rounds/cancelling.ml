(* What is cancelled ends, wherever it is, and takes nothing with it. *)

open Case

exception Stop

let stopped s f = match f () with () -> s.complain "not cancelled" | exception Stop -> ()

(* Again and again another domain cancels a scope, about when its code does something: [body begins is_cancelled] does
   that soon after it has called [begins]. *)
let cancelled_from_outside s ~most body =
  let rounds = 60 and round = Atomic.make 0 and ended = Atomic.make 0 in
  let scope = Atomic.make None in
  let canceller () =
    for k = 1 to rounds do
      reach round k;
      work s most;
      Option.iter (fun scope -> Drover.Scope.cancel scope Stop) (Atomic.get scope);
      Atomic.set ended k
    done
  and play () =
    for k = 1 to rounds do
      stopped s (fun () ->
          Drover.Scope.run (fun outer ->
              Atomic.set scope (Some outer);
              body (fun () -> Atomic.set round k) (fun () -> Atomic.get ended >= k)))
    done
  in
  let canceller = Domain.spawn canceller in
  ignore (s.run play : bool);
  Domain.join canceller

(* The code of an inner scope begins to wait. *)
let nested s =
  cancelled_from_outside s ~most:3_000 (fun begins _ ->
      Drover.Scope.run (fun _ ->
          begins ();
          work s 3_000;
          never ()))

(* A fork begins; when it is skipped it says by what it was cancelled. *)
let reasons s =
  let rec fork () =
    match Drover.both (fun () -> work s 3_000) ignore with
    | (), () -> fork ()
    | exception Drover.Cancelled e -> expect s ("cancelled by " ^ Printexc.to_string e) (e = Stop)
  in
  cancelled_from_outside s ~most:3_000 (fun begins _ ->
      begins ();
      fork ())

(* Code that only forks begins to do so. *)
let forking s =
  (* Until it is cancelled, and some forks more. *)
  let fork_for_long is_cancelled =
    let left = ref 2_000 in
    while !left > 0 do
      ignore (Drover.both ignore ignore : unit * unit);
      Machine.Work.busy 20;
      if is_cancelled () then decr left
    done;
    s.complain "goes on"
  in
  cancelled_from_outside s ~most:1_500 (fun begins is_cancelled ->
      begins ();
      work s 1_500;
      fork_for_long is_cancelled)

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

(* A receive that was cancelled has received nothing. A limit that was too short is followed by a longer one: where
   threads are delayed, it may be over before the receive has begun, each time. *)
let timeouts s =
  let chan = Drover.Chan.rendezvous () and seen = tally 20 and shortest = 2e-5 in
  let rec receive limit =
    match Drover.Scope.with_timeout limit (fun () -> Drover.Chan.recv chan) with
    | m ->
        one_more seen.(m);
        receive shortest
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
  if s.run (fun () -> beside s ~tasks:3 (fun _ -> receive shortest) send) then
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
