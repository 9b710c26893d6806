(* Team: what the workers of a pool do for each other: wake, hand out, and tell when all is done. *)

open Worker

let has_work team =
  let has_job w = not (Deque.is_empty w.core && Deque.is_empty w.urgent) in
  (not (Inbox.is_empty team.inbox))
  || (not (Inbox.is_empty team.urgent_inbox))
  || (not (Inbox.is_empty team.later))
  || Array.exists has_job team.members

let wake team id =
  Atomic.incr team.searching;
  Parker.wake team.members.(id).parker

let wake_one team = Option.iter (wake team) (Sleepers.choose team.sleepers)

(* To be called after work was added. A worker that searches will find it; if none does, one that
   sleeps is woken, and counts as searching from now on. The ticker, which comes here too, must not
   do so in the middle of this. *)
let[@inline] notify team =
  if (not (Sleepers.is_empty team.sleepers)) && Atomic.get team.searching = 0 then
    match Worker.mine () with
    | Some w -> Worker.undisturbed w (fun () -> wake_one team)
    | None -> wake_one team

let wake_all team = Array.iter (fun w -> Parker.wake w.parker) team.members

(* Make [job], which is Public, available to the workers. *)

let add_outside team ~urgent job =
  Inbox.add (if urgent then team.urgent_inbox else team.inbox) job;
  notify team

(* The calling thread is [w]. *)
let[@inline] add_inside w ~urgent job =
  (* A signal's handler or a finaliser may have interrupted the owner at its deque. Outside of its
     jobs, where it searches or serves timers, the owner looks at all places but its own deque. *)
  if w.busy || not w.in_job then add_outside w.team ~urgent job
  else begin
    Fork_stack.add_task w (deque_for w ~urgent) job;
    notify w.team
  end

let add team ~urgent job =
  match Worker.mine () with
  | Some w when w.team == team -> add_inside w ~urgent job
  | Some _ | None -> add_outside team ~urgent job

(* While there are batches, their parts are looked for before other work. *)
let begin_batch team = Atomic.incr team.batches
let end_batch team = Atomic.decr team.batches

(* The same for what is to run a batch: at once, which begins now, or when the workers have run out
   of other work. *)

let add_batch team job =
  begin_batch team;
  Inbox.add team.urgent_inbox job;
  notify team

let add_later team job =
  Inbox.add team.later job;
  notify team

let sum team count = Array.fold_left (fun n w -> n + count w) 0 team.members

(* To be called by [w] before it sleeps or leaves, and before [is_idle]. *)
let report w = if Atomic.get w.reported <> w.ended then Atomic.set w.reported w.ended

(* No task is left. Whoever sees that a task has ended, by [reported], sees all that it has started,
   though [started] is a plain field. So if the sums agree, the tasks that have ended have started
   each other, those from outside apart, and nothing else; and there are no other tasks. *)
let is_idle team =
  let ended = sum team (fun w -> Atomic.get w.reported) in
  ended = Atomic.get team.submitted + sum team (fun w -> w.started)

(* To be called after the step to Stopped. *)
let announce_stop team =
  ignore (Ivar.fill team.stopped () : bool);
  wake_all team

(* The step from Closing to Stopped, if it is due. Whoever may have ended the last task calls it
   before it sleeps. *)
let try_stop team =
  if
    Atomic.get team.phase = Closing
    && is_idle team
    && Atomic.compare_and_set team.phase Closing Stopped
  then announce_stop team

let is_stopped team = Atomic.get team.phase = Stopped
