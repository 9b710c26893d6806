(* Loop: what other threads hand to Lwt's main loop.

   Empty --post--> Posted jobs --post--> ... --take--> Empty

   Only the step from Empty wakes the loop, so one wake-up, and one system call, serve all jobs that
   come before the loop gets to them. The loop runs a number of jobs at a time and lets input and
   output, timers and other callbacks have their turn before it goes on.

   Lwt has one main loop for each process. It may move from thread to thread between two calls of
   [Lwt_main.run]. *)

type job = unit -> unit

let posted : job list Atomic.t = Atomic.make []

(* Taken and not run yet, in the order in which they came. Of the loop's thread only. *)
let taken : job Queue.t = Queue.create ()

(* As many as take about a millisecond if each resumes a small callback. *)
let at_a_time = 256
let take () = List.iter (fun job -> Queue.add job taken) (List.rev (Atomic.exchange posted []))

let rec run_some n =
  match if n = 0 then None else Queue.take_opt taken with
  | None -> ()
  | Some job ->
      job ();
      run_some (n - 1)

let notification = Lwt_unix.make_notification ignore
let wake () = Lwt_unix.send_notification notification

(* A callback of the user's may raise out of a job, by way of [Lwt.async_exception_hook]: the jobs
   after it keep their turn. *)
let turn () =
  take ();
  Fun.protect
    (fun () -> run_some at_a_time)
    ~finally:(fun () -> if not (Queue.is_empty taken) then wake ())

let () = Lwt_unix.set_notification notification turn

(* Has [job] run by the loop. Any thread; never waits. *)
let rec post job =
  match Atomic.get posted with
  | [] -> if Atomic.compare_and_set posted [] [ job ] then wake () else post job
  | jobs -> if not (Atomic.compare_and_set posted jobs (job :: jobs)) then post job

(* Who runs the loop *)

let nobody = -1

(* The thread that is in a turn of the loop. Between two turns it is [nobody], for an instant. *)
let inside = Atomic.make nobody

(* How many turns there were. *)
let turns = Atomic.make 0
let self () = Thread.id (Thread.self ())

let () =
  let enter () =
    Atomic.set inside (self ());
    Atomic.incr turns
  and leave () = Atomic.set inside nobody in
  ignore (Lwt_main.Enter_iter_hooks.add_first enter : Lwt_main.Enter_iter_hooks.hook);
  ignore (Lwt_main.Leave_iter_hooks.add_last leave : Lwt_main.Leave_iter_hooks.hook)

let is_here () = Atomic.get inside = self ()

(* [false] if another thread runs the loop for certain. *)
let may_be_here () =
  let thread = Atomic.get inside in
  thread = nobody || thread = self ()
