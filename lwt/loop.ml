(* Loop: what other threads hand to Lwt's main loop.

   Empty --post--> Posted jobs --post--> ... --take--> Empty

   Only the step from Empty wakes the loop, so one wake-up, and one system call, serve all jobs that
   come before the loop gets to them. The loop runs a number of jobs at a time and lets input and
   output, timers and other callbacks have their turn before it goes on.

   Whatever raises in the middle, such as a signal's handler, no job is lost. A job is in the line
   until it has returned; one that raises is called again in the next turn, so every job is
   idempotent: it goes on from where it was.

   Lwt has one main loop for each process. It may move from thread to thread between two calls of
   [Lwt_main.run]. *)

type job = unit -> unit

let posted : job list Atomic.t = Atomic.make []

(* Taken and not ended. Of the loop's thread only. *)
type line = {
  mutable front : job list; (* in the order in which they came *)
  mutable fresh : job list; (* behind them, the latest first *)
}

let line = { front = []; fresh = [] }
let[@poll error] take () = line.fresh <- Atomic.exchange posted []

let[@poll error] bring_forward jobs =
  line.front <- jobs;
  line.fresh <- []

(* As many as take about a millisecond if each resumes a small callback. *)
let at_a_time = 256

let rec run_some n =
  match (line.front, line.fresh) with
  | [], [] ->
      if Atomic.get posted <> [] then begin
        take ();
        run_some n
      end
  | [], fresh ->
      bring_forward (List.rev fresh);
      run_some n
  | job :: behind, _ ->
      if n > 0 then begin
        job ();
        line.front <- behind;
        run_some (n - 1)
      end

let notification = Lwt_unix.make_notification (fun () -> run_some at_a_time)
let wake () = Lwt_unix.send_notification notification

(* How far a job has come on its way to the line

   New --add--> Posted or, if there was no other, To_wake --wake--> Posted *)
type stage = New | To_wake | Posted
type letter = { job : job; mutable stage : stage }

let[@poll error] add letter before after =
  if Atomic.compare_and_set posted before after then
    letter.stage <- (match before with [] -> To_wake | _ :: _ -> Posted)

let rec send letter =
  match letter.stage with
  | Posted -> ()
  | To_wake ->
      wake ();
      letter.stage <- Posted
  | New ->
      let before = Atomic.get posted in
      add letter before (letter.job :: before);
      send letter

(* [prepare job] is for [Critical.finish], and has [job] run by the loop. Any thread; never waits. *)
let prepare job =
  let letter = { job; stage = New } in
  fun () -> send letter

let post job = Critical.finish (prepare job)

(* Who runs the loop *)

let nobody = -1

(* The thread that is in a turn of the loop. Between two turns it is [nobody], for an instant. It
   stays what it is when an exception leaves [Lwt_main.run] in the middle of a turn. *)
let inside = Atomic.make nobody

(* How many turns there were. *)
let turns = Atomic.make 0
let self () = Thread.id (Thread.self ())

(* Jobs may be left by a turn that ran as many as it may, or that was interrupted. *)
let enter () =
  let are_left = line.front <> [] || line.fresh <> [] in
  if are_left || Atomic.get inside <> nobody then wake ();
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
