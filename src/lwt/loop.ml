(* Loop: what other threads hand to Lwt's main loop.

   Empty --post--> Posted jobs --post--> ... --take--> Empty

   Only the step from Empty wakes the loop, so one wake-up, and one system call, serve all jobs that
   come before the loop gets to them. The loop runs a number of jobs at a time and lets input and
   output, timers and other callbacks have their turn before it goes on.

   Lwt has one main loop for each process. It may move from thread to thread between two calls of
   [Lwt_main.run]. *)

type job = unit -> unit

let posted : job list Atomic.t = Atomic.make []

(* Taken, the latest first; and those that have not begun, in the order in which they came. Of the loop's
   thread only. *)
let taken = ref []
let line = ref []

(* As many as take about a millisecond if each resumes a small callback. *)
let at_a_time = 256

(* The handler of a signal may raise at any safepoint, and leave the loop. So a job is in one of the lists
   until it begins, and no safepoint lies between. *)

let[@poll error] take () = taken := Atomic.exchange posted []

let refill () =
  if !taken = [] then take ();
  let next = List.rev !taken in
  line := next;
  taken := []

let rec run_some n =
  if !line = [] then refill ();
  match !line with
  | job :: later when n > 0 ->
      line := later;
      job ();
      run_some (n - 1)
  | _ :: _ | [] -> ()

let notification = Lwt_unix.make_notification (fun () -> run_some at_a_time)
let wake () = Lwt_unix.send_notification notification

(* Has [job] run by the loop. Any thread; never waits. A task that may be interrupted calls it within
   [Scope.protect], as it wakes the loop after its first step. *)
let rec post job =
  let before = Atomic.get posted in
  if not (Atomic.compare_and_set posted before (job :: before)) then post job
  else if before = [] then wake ()

(* Who runs the loop *)

let nobody = -1

(* The thread that is in a turn of the loop. Between two turns it is [nobody], for an instant. It
   stays what it is when an exception leaves [Lwt_main.run] in the middle of a turn. *)
let inside = Atomic.make nobody

(* How many turns there were. *)
let turns = Atomic.make 0
let self () = Thread.id (Thread.self ())

(* Jobs may be left by a turn that ran as many as it may, or in which one raised. *)
let enter () =
  if !line <> [] || !taken <> [] || Atomic.get inside <> nobody then wake ();
  Atomic.set inside (self ());
  Atomic.incr turns

let leave () = Atomic.set inside nobody

let () =
  ignore (Lwt_main.Enter_iter_hooks.add_first enter : Lwt_main.Enter_iter_hooks.hook);
  ignore (Lwt_main.Leave_iter_hooks.add_last leave : Lwt_main.Leave_iter_hooks.hook)

(* Whether some thread is in [Lwt_main.run], which refuses to be called twice at a time. Where it
   is not, that returns at once. *)
let is_running () =
  match Lwt_main.run Lwt.return_unit with () -> false | exception Failure _ -> true

let is_here () = Atomic.get inside = self () && is_running ()

(* [false] if another thread runs the loop for certain. *)
let may_be_here () =
  let thread = Atomic.get inside in
  thread = nobody || thread = self () || not (is_running ())

(* Whether nobody runs the loop. One that is inside a callback does not stand still. *)
let stands_still () = Atomic.get inside = nobody || not (is_running ())
