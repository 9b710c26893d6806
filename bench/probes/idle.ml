open Drover_harness
module Task = Domainslib.Task

(* Milliseconds of processor time that this process uses in a second of [f]. *)
let cpu f =
  let before = Sys.time () in
  let (), seconds = Clock.time f in
  (Sys.time () -. before) *. 1e3 /. seconds

(* On a pool that could not get a second domain, nobody would run what the caller waits for. *)
let with_drover f =
  Drover.Pool.with_pool ~domains:2 (fun pool ->
      if Drover.Pool.size pool < 2 then None else Some (f pool))

let with_domainslib f =
  let pool = Task.setup_pool ~num_domains:1 () in
  Fun.protect ~finally:(fun () -> Task.teardown_pool pool) (fun () -> Some (f pool))

(* A pool that has worked, and has had a moment to fall asleep. *)
let idle_drover sleep =
  with_drover (fun pool ->
      Drover.Pool.run pool (fun () -> ignore (Drover.both ignore ignore : unit * unit));
      Unix.sleepf 0.05;
      cpu sleep)

let idle_domainslib sleep =
  with_domainslib (fun pool ->
      Task.run pool (fun () -> Task.await pool (Task.async pool ignore));
      Unix.sleepf 0.05;
      cpu sleep)

(* The caller waits while a worker sleeps in a task. The caller must not run that task itself: it
   goes to wait only when the task has started elsewhere. *)
let waiting ~async ~await sleep =
  let started = Atomic.make false in
  let task () =
    Atomic.set started true;
    sleep ()
  in
  let promise = async task in
  Clock.spin_until (fun () -> Atomic.get started);
  cpu (fun () -> await promise)

let waiting_drover sleep =
  with_drover (fun pool ->
      Drover.Pool.run pool (fun () -> waiting ~async:Drover.async ~await:Drover.await sleep))

let waiting_domainslib sleep =
  with_domainslib (fun pool ->
      Task.run pool (fun () -> waiting ~async:(Task.async pool) ~await:(Task.await pool) sleep))

let run (s : Probe.settings) =
  let seconds = Kernel.by_size s.size ~tiny:0.01 ~quick:0.5 ~full:5. in
  let sleep () = Unix.sleepf seconds in
  let figure ?goal label measure =
    Option.map (Probe.figure ?goal label "CPU ms a second") (measure sleep)
  in
  let goal : Probe.goal = At_most 5. in
  List.filter_map Fun.id
    [
      figure ~goal "drover, idle pool" idle_drover;
      figure "domainslib, idle pool" idle_domainslib;
      figure ~goal "drover, caller waits for a task that sleeps" waiting_drover;
      figure "domainslib, caller waits for a task that sleeps" waiting_domainslib;
    ]

let probe : Probe.t = { name = "idle"; doc = "processor time of a pool with nothing to do"; run }
