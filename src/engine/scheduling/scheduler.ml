(* Scheduler: a worker runs what is at hand, else it searches, else it sleeps. *)

open Worker

(* Who finds something wakes others if there is more:

   1. One that was woken wakes two if more lies where it was: so [n] are awake after some log n wake-ups, one
      after the other.
   2. The last that is counted as searching wakes another if more is there, or is hidden and nobody is on the
      lookout: whoever added it saw that one searched, and woke nobody (see [Team.notify]). *)
let pass_on w ~is_woken ~is_last =
  let team = w.team in
  if is_woken && Team.has_helper team && Search.finds_more w then begin
    let seconds = float w.search_for *. w.load.look in
    Team.wake_for team ~seconds;
    if Team.has_helper team then Team.wake_for team ~seconds
  end
  else if is_last && Team.needs_another team && (Team.has_work team || Search.lacks_lookout w) then
    Team.wake_one team

(* A waker that chose this sleeper has counted it as searching. No safepoint lies between a call of [Sleepers]
   and the flag that says so. *)
let withdraw w =
  if not (Sleepers.remove w.team.sleepers w.id) then begin
    w.searches <- true;
    Team.note_woken w
  end;
  w.announced <- false

(* While others work, one sleeper is on the lookout: it wakes up by itself from time to time, as owners
   whose forks were short of late wake nobody (see [Worth]). Probe: regions.

   1. An owner publishes a fork.                      1. The sleeper withdraws its lookout.
   2. With a fence, it looks for a lookout:           2. With a fence, it looks for work and for forks:
      if there is one, it wakes nobody.                  if there are any, it does not park.

   One of the two sees the other; or else both would wait for the lookout.

   Each look allocates a little, and at a collection all wait for an owner whose code has no safepoint; and who wakes up
   so often is often put on the processor of an owner that works, where a later wake-up for a task has to wait for the end
   of a slice. So the lookout ends when it has seen some times that others hide nothing; if there are such owners, when it
   has seen that for long. A sleeper that is woken for what they hide begins it anew. Probe: lateness. *)

let rec look_out w ~until before =
  let most = if Search.others_need_lookout w then 400 else 4 in
  Search.others_work w && w.vain < most
  && (Poller.keep w.parker ~until:(System.now () +. 5e-4 (* seconds *))
     ||
     let now = Search.look_out w before in
     Team.has_work w.team || until () || Search.take_any_part w || look_out w ~until now)

let park w ~until =
  let end_lookout () =
    ignore (Atomic.exchange w.team.lookout false : bool);
    Poller.stop_keeping ()
  and keep () =
    Atomic.set w.team.lookout true;
    look_out w ~until []
  in
  if Search.others_work w && Poller.try_to_keep () then begin
    let is_over = Failure.finally end_lookout keep in
    if not (is_over || Team.has_work w.team || Search.others_hide w) then Poller.park w.parker
  end
  else Poller.park w.parker

(* [Sleepers] has the protocol. It promises that the sleeper sees the work or the waker the sleeper, where work is in
   atomics. But some of what is read here is plain: where loops stand, and how many forks there are. There it
   depends on read-modify-writes, as the one that announces, being full fences, which they are on x86 and
   ARM64. *)
let sleep w ~until =
  Fork_stack.trim w;
  Team.report w;
  Team.try_stop w.team;
  Sleepers.announce w.team.sleepers w.id;
  w.announced <- true;
  (* Comes after the announcement; pairs with [Open_loops.add] and the look at the sleepers after
     that. *)
  Search.ask_once_more w;
  if not (Team.has_work w.team || until () || Search.take_any_part w) then
    Events.during Events.park (fun () -> park w ~until);
  withdraw w

let rec search_or_sleep w ~until ~is_woken =
  Worker.forget_context w;
  let found = Crowd.spinning w (fun () -> Search.search w ~until) in
  let is_last = Team.end_searching w in
  if found then pass_on w ~is_woken ~is_last;
  found
  || (not (until ()))
     && begin
       sleep w ~until;
       let is_woken = w.searches in
       (* A look before a search, which ends with one at the load. Kernel: wake. *)
       if is_woken then w.vain <- 0;
       if (not (until ())) && Search.find w then begin
         let is_last = Team.end_searching w || not is_woken in
         pass_on w ~is_woken ~is_last;
         true
       end
       else search_or_sleep w ~until ~is_woken
     end

let begin_job w =
  Events.(tell task Begin);
  w.in_job <- true;
  w.depth <- 0;
  (* Whether a domain records backtraces is its own affair in OCaml; a task has them if its pool's
     users do. The field is plain: a caller that starts tasks from outside writes it, usually what is
     there already, and a worker that reads what was there before follows with its next job. *)
  let wanted = w.team.record_backtraces in
  if w.backtraces <> wanted then begin
    w.backtraces <- wanted;
    Printexc.record_backtrace wanted
  end;
  (* What the deque held when the limit was raised may be gone; so the first fork of a task publishes. It is offered,
     too, whatever the tasks before were worth: this one may block its thread, which can give nothing then. *)
  w.limit <- 0;
  w.credit <- 0;
  Worker.pass_point w;
  if not w.ticks then Ticker.start w

let end_job w =
  Section.end_user_code w;
  Fork_stack.end_task w;
  w.in_job <- false;
  Events.(tell task End)

(* To return where the stack has changed meanwhile costs the processor a wrong guess for each frame,
   so a job has few frames below its own. Probe: promises. *)

(* Runs what is in the worker's hand. *)
let[@inline] run_job w =
  let hand = w.hand in
  begin_job w;
  Task.run w hand;
  (* Otherwise it is another job, which goes before the task that was put off for it. *)
  if w.in_hand && w.hand == hand then Worker.empty_hand w;
  end_job w

(* Whether a job is in the worker's hand. What a worker has that stands by is for those that work. *)
let take_job w ~until =
  if Crowd.is_surplus w && (not w.in_hand) && Inbox.is_empty w.put_off then begin
    Worker.forget_context w;
    Slice.hand_out_all w;
    Team.report w;
    Team.try_stop w.team;
    let is_left () = Team.has_work w.team || Search.others_hide w in
    Crowd.stand_by w ~is_left
    && (Search.find w
       || begin
         (* A pause before the next time, as this costs all domains a collection. *)
         w.seen_still <- -1;
         Search.uncover w
       end)
  end
  else Search.find w || search_or_sleep w ~until ~is_woken:false

let rec loop w ~until =
  if not (until ()) then begin
    if take_job w ~until then run_job w;
    loop w ~until
  end

(* What libraries built on domain-local-await wait with. *)
let prepare_for_await () =
  let released = Ivar.create () in
  {
    Domain_local_await.release = (fun () -> ignore (Ivar.fill released () : bool));
    await =
      (fun () ->
        if not (Ivar.is_full released) then Wait.until_full "waits by domain-local-await" released);
  }

let () = Host.set_trigger_of_tasks (prepare_for_await ())

(* The calling thread is [w] no more, wherever a callback has interrupted it: in the middle of a job, a search
   or a sleep. May be called again. *)
let retire w =
  if w.in_job then end_job w;
  Task.give_back w;
  while Search.take_put_off w do
    Task.give_back w
  done;
  if w.announced then withdraw w;
  ignore (Team.end_searching w : bool);
  if not (Fork_stack.is_clear w) then Fork_stack.publish_all w;
  w.depth <- 0;
  Section.end_user_code w;
  Worker.forget_context w;
  Fork_stack.trim w;
  Worker.step_down w;
  Team.report w;
  Events.tell Events.worker Events.nobody;
  Team.try_stop w.team;
  if Team.needs_another w.team && Team.has_work w.team then Team.wake_one w.team

let retire_in_any_case w = Shared.insist retire w

(* With what timers call. *)
let room = 4

let work ?(first = ignore) w ~until =
  Section.reserve_stack_for room;
  Worker.become w
  &&
  match
    Events.tell Events.worker w.id;
    Domain_local_await.using ~prepare_for_await ~while_running:(fun () ->
        first ();
        loop w ~until)
  with
  | () ->
      retire_in_any_case w;
      true
  | exception exn -> Failure.raise_after retire_in_any_case w exn
