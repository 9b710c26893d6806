open Drover_harness
open Drover_show
module Task = Domainslib.Task

(* A task notes when it started. Returns how long that took, in seconds; burns the caller's
   processor meanwhile, so that the caller's domain cannot be the one that runs the task. *)
let latency submit =
  let started = Atomic.make 0 in
  let submitted = Clock.now_ns () in
  submit (fun () -> Atomic.set started (Clock.now_ns ()));
  Clock.spin_until (fun () -> Atomic.get started > 0);
  float (Atomic.get started - submitted) *. 1e-9

(* What happens between two tasks: nothing for long enough to fall asleep, or just what it takes to
   go idle. *)
let asleep () = Unix.sleepf 0.002
let just_idle () = Clock.spin_ns 500

let latencies times pause submit =
  Array.init times (fun _ ->
      pause ();
      latency submit)

let both_pauses times submit = Some (latencies times asleep submit, latencies times just_idle submit)
let ignore_promise (_ : unit Drover.Promise.t) = ()

(* On one domain nobody else could start the task: there is nothing to measure. *)
let on_others size measure = if size < 2 then None else measure ()

(* From outside any pool: the default pool, of which the caller is no part. *)
let drover_outside times =
  on_others
    (Drover.Pool.size (Drover.Pool.default ()))
    (fun () -> both_pauses times (fun task -> ignore_promise (Drover.async task)))

let drover_inside times =
  Drover.Pool.with_pool ~domains:2 @@ fun pool ->
  let measure () =
    Drover.Pool.run pool (fun () ->
        both_pauses times (fun task -> ignore_promise (Drover.async task)))
  in
  on_others (Drover.Pool.size pool) measure

let domainslib times =
  let pool = Task.setup_pool ~num_domains:1 () in
  Fun.protect
    ~finally:(fun () -> Task.teardown_pool pool)
    (fun () ->
      Task.run pool (fun () ->
          both_pauses times (fun task -> ignore (Task.async pool task : unit Task.promise))))

(* One domain that waits on a condition variable for the next task: the least that a sleeper
   costs. *)
let condition times =
  let mutex = Mutex.create () and changed = Condition.create () in
  let slot = ref None in
  let rec serve () =
    Mutex.lock mutex;
    while !slot = None do
      Condition.wait changed mutex
    done;
    let task = Option.get !slot in
    slot := None;
    Mutex.unlock mutex;
    match task with
    | Some task ->
        task ();
        serve ()
    | None -> ()
  in
  let submit task =
    Mutex.protect mutex (fun () ->
        slot := Some task;
        Condition.signal changed)
  in
  let domain = Domain.spawn serve in
  let found = latencies times asleep (fun task -> submit (Some task)) in
  submit None;
  Domain.join domain;
  found

(* Empty calls one after the other: two threads wait for each other. *)
let calls_in_blocking times =
  let call _ = snd (Clock.time (fun () -> Drover.blocking ignore)) in
  Drover.run ~domains:2 (fun () -> Array.init times call)

let figures ?goal label samples =
  let us = Array.map (fun s -> s *. 1e6) samples in
  [
    Probe.figure ?goal (label ^ ", median") "us" (Stats.median us);
    Probe.figure (label ^ ", p99") "us" (Stats.quantile 0.99 us);
  ]

let run (s : Probe.settings) =
  let times = Kernel.by_size s.size ~tiny:3 ~quick:300 ~full:3000 in
  let condition = condition times in
  let rival = domainslib times in
  let inside = drover_inside times in
  let outside = drover_outside times in
  let sleeping = Option.map fst and idle = Option.map snd in
  let within limit : Probe.goal = At_most limit in
  let lines ?goal label = Option.fold ~none:[] ~some:(figures ?goal label) in
  List.concat
    [
      lines ~goal:(within 30.) "drover from outside, worker asleep" (sleeping outside);
      lines ~goal:(within 30.) "drover from a task, worker asleep" (sleeping inside);
      lines "domainslib, worker asleep" (sleeping rival);
      lines "condition variable, domain asleep" (Some condition);
      lines ~goal:(within 2.) "drover from outside, worker just idle" (idle outside);
      lines ~goal:(within 2.) "drover from a task, worker just idle" (idle inside);
      lines "domainslib, worker just idle" (idle rival);
      lines ~goal:(within 15.) "a call in blocking, in a row" (Some (calls_in_blocking times));
    ]

let probe : Probe.t = { name = "wake"; doc = "how long a task waits for an idle worker"; run }
