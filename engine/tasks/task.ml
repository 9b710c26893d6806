(* Task.

   Waiting. A task makes a sleeper (see [Sleeper]), puts it where it will be woken, and calls
   [sleep]. That prepares the rest of the task as a job, publishes what the task has begun, and
   performs [Suspend], whose argument is all that the handler needs, on the worker's own stack:
   it keeps the continuation and makes the step to Asleep. Nothing can get between, or the
   continuation would be lost. So the code of a handler has no safepoint, not even at its start:
   it allocates nothing, and what it calls at its end is inlined, or of another module. (That of
   [Effect.Deep.match_with] has one, as it calls a function that it does not know.)

   Nor does a handler ask for room on the stack, which may be full below a task that lies on
   another: it calls nothing but at its end.

   A job that was claimed is its worker's [hand] until its own code has begun. What raises before
   that in the scheduler gives it back (see [Scheduler]). *)

open Effect.Deep

(* A task that falls asleep, or that goes behind what its worker has to do. *)
type suspension =
  | Sleep of {
      fiber : Sleeper.fiber;
      sleeper : Sleeper.t;
      asleep : Sleeper.state;
      takes_chain : bool; (* with what lies below: see [Ahead] *)
    }
  | Yield of { fiber : Sleeper.fiber; worker : Worker.t; job : Job.t }

let[@inline] takes_chain = function Sleep { takes_chain; _ } -> takes_chain | Yield _ -> false

type _ Effect.t +=
  | Suspend : suspension -> unit Effect.t
  | Go_on : unit Effect.t  (** does nothing: see [can_wait] *)

let[@inline] is_own (type a) (eff : a Effect.t) =
  match eff with Suspend _ | Go_on -> true | _ -> false

(* What the code of a job raises is its own. *)
let[@inline] catch f =
  try
    let v = f () in
    Worker.mask_here ();
    Ok v
  with exn ->
    Worker.mask_in_handler ();
    Failure.error exn

(* Stands where no continuation is yet. *)
let no_continuation =
  let kept = ref None in
  let keep (k : (unit, unit) continuation) = kept := Some k in
  (match Effect.perform Go_on with () -> () | effect Go_on, k -> keep k);
  Option.get !kept

(* On a worker's own stack; the last step cannot be interrupted. *)
let go_on (fiber : Sleeper.fiber) =
  let w = Worker.of_domain () in
  Worker.adopt w fiber.context;
  Events.tell Events.resume fiber.wait;
  Hooks.resume fiber.here fiber.waker;
  Worker.empty_hand w;
  continue fiber.k ()

(* The rest of the calling task, which [w] runs. *)
let rest_of (w : Worker.t) : Sleeper.fiber =
  let wait = Worker.next_wait w and here = Hooks.no_mark in
  { context = w.context; team = w.team; wait; here; waker = here; k = no_continuation }

(* What the task has begun is for others meanwhile. *)
let leave (w : Worker.t) (fiber : Sleeper.fiber) =
  Fork_stack.publish_all w;
  if Fork_stack.offers w then Team.notify w.team;
  Events.tell Events.suspend fiber.wait;
  let here = Hooks.suspend () in
  if here != Hooks.no_mark then fiber.here <- here

let falling_asleep (w : Worker.t) sleeper ~takes_chain =
  let fiber = rest_of w in
  leave w fiber;
  let asleep = Sleeper.Task { fiber; rest = Job.rest (fun () -> go_on fiber) } in
  Sleep { fiber; sleeper; asleep; takes_chain }

(* What handlers do *)

let[@inline] suspend suspension k =
  match suspension with
  | Sleep { fiber; sleeper; asleep } ->
      fiber.k <- k;
      if not (Sleeper.fall_asleep sleeper asleep) then begin
        fiber.k <- no_continuation;
        continue k ()
      end
  | Yield { fiber; worker; job } ->
      fiber.k <- k;
      if not (Deque.put worker.deque job) then Worker.pick_up worker job

(* What interrupts the allocation goes where the other exception would. *)
let[@inline] refuse (type a) (eff : a Effect.t) k =
  match Effect.Unhandled eff with
  | unhandled -> discontinue k unhandled
  | exception exn -> discontinue k exn

(* [f x] in a fiber of its own. What it raises is from a callback that interrupted the scheduler: see
   [Scheduler]. *)
let in_fiber f x =
  match f x with
  | _ -> ()
  | effect Suspend suspension, k -> suspend suspension k
  | effect Go_on, k -> continue k ()
  | effect eff, k -> refuse eff k

exception Cannot_wait

(* What [go_on] tells, where the task was woken before it fell asleep. *)
let tell_if_stayed = function
  | Sleep { fiber; _ } when fiber.k == no_continuation ->
      Events.tell Events.resume fiber.wait;
      Hooks.resume fiber.here fiber.waker
  | Sleep _ | Yield _ -> ()

(* A C frame lies between a callback and the task that it has interrupted. *)
let[@inline] perform suspension =
  Worker.mask_here ();
  match Effect.perform (Suspend suspension) with
  | () ->
      tell_if_stayed suspension;
      Worker.unmask_again ()
  | exception Effect.Unhandled (Suspend _) ->
      let w = Worker.of_domain () in
      Worker.unmask w;
      Events.tell Events.resume w.wait;
      raise_notrace Cannot_wait

let refuse_to_wait () =
  invalid_arg
    "Drover: a finaliser, a signal's handler or a callback from C cannot wait inside a task"

let can_wait () =
  match Effect.perform Go_on with () -> true | exception Effect.Unhandled Go_on -> false

let[@inline] sleep_on w sleeper ~takes_chain =
  if not (Sleeper.is_over sleeper) then
    try perform (falling_asleep w sleeper ~takes_chain) with Cannot_wait -> refuse_to_wait ()

let sleep_inside w sleeper = sleep_on w sleeper ~takes_chain:false
let sleep_with_chain w sleeper = sleep_on w sleeper ~takes_chain:true

(* A signal's handler may have interrupted a worker between two tasks: others might wait for that
   worker. *)
let check_may_block () =
  let w = Worker.here () in
  if w != Worker.nobody && not w.in_job then refuse_to_wait ()

(* Waits until [sleeper] is woken, outside any task: suspends the calling fiber of a host, or blocks
   the thread. *)
let block caller sleeper =
  check_may_block ();
  let parker = Parker.create () in
  Hooks.aside (fun () ->
      if Sleeper.fall_asleep sleeper (Thread parker) then Host.wait caller parker)

(* Waits until [sleeper] is woken: suspends the calling task or fiber, or blocks the calling
   thread. *)
let sleep sleeper =
  match Worker.mine () with
  | Some w -> sleep_inside w sleeper
  | None -> block (Host.caller ()) sleeper

(* The same for a wait that must come to its end: a callback, which cannot suspend, blocks its
   worker's thread, and a fiber, which may be cancelled, its host's. *)
let sleep_in_any_case sleeper =
  match Worker.mine () with
  | None -> block Thread sleeper
  | Some w -> (
      if not (Sleeper.is_over sleeper) then
        try perform (falling_asleep w sleeper ~takes_chain:false)
        with Cannot_wait -> block Thread sleeper)

(* Wakes many. Tasks of the calling worker's pool are resumed by jobs that halve them, so that thieves
   get large pieces: their pool does not close before it has come to them, as it might with others.
   May be called again. *)

let rec resume_between (team : Worker.team) ~urgent sleepers lo hi =
  if hi - lo > 1 then begin
    let mid = (lo + hi) / 2 in
    resume_later team ~urgent sleepers mid hi;
    resume_between team ~urgent sleepers lo mid
  end
  else Sleeper.resume sleepers.(lo)

and resume_later team ~urgent sleepers lo hi =
  Team.add team ~urgent (Job.rest (fun () -> resume_between team ~urgent sleepers lo hi))

let resume_all sleepers =
  match Worker.mine () with
  | Some { team; context; _ }
    when Array.length sleepers > 1 && Array.for_all (Sleeper.is_of team) sleepers ->
      resume_later team ~urgent:context.urgent sleepers 0 (Array.length sleepers)
  | Some _ | None -> Array.iter Sleeper.resume sleepers

let wake_all sleepers =
  let claim sleeper = ignore (Sleeper.claim sleeper : bool) in
  Critical.finish (fun () ->
      Array.iter claim sleepers;
      resume_all sleepers)

let yield (w : Worker.t) =
  let fiber = rest_of w in
  leave w fiber;
  let job = Job.rest (fun () -> go_on fiber) in
  Deque.make_room w.deque;
  let suspension = Yield { fiber; worker = w; job } in
  Team.notify w.team;
  try perform suspension with Cannot_wait -> ()

(* Where others do as much without this worker: see [Crowding]. *)
let stand_back () =
  match Worker.mine () with Some w when Crowding.is_surplus w -> yield w | Some _ | None -> ()

let give_way (w : Worker.t) =
  if can_wait () then begin
    let sleeper = Sleeper.create () in
    let wake () = ignore (Sleeper.wake sleeper : bool) in
    Team.add_outside w.team ~urgent:w.context.urgent (Job.rest wake);
    sleep_inside w sleeper
  end

(* Running a claimed job, which is [w.hand] until its code has begun. A claimed fork that was
   cancelled before it started is skipped; a task looks itself, because its end is counted. *)

let run_task (job : _ Job.job) = job.body ()

let run_fork job =
  let p = Job.published_of job in
  let body = job.body in
  let begin_now () =
    let w = Worker.of_domain () in
    Worker.empty_hand w;
    Worker.unmask w;
    body ()
  in
  p.outcome <- catch begin_now;
  Critical.finish_with Job.conclude job

let[@inline] run_claimed (w : Worker.t) (Job.Job job) =
  match Job.state job with
  | Begun -> in_fiber run_task job
  | Taken { context; _ } | Awaited ({ context; _ }, _) ->
      Worker.adopt w context;
      if Token.start context.token then in_fiber run_fork job else Job.skip job
  | Resumed -> ignore (job.body ())
  | Ended _ -> () (* it was interrupted after its end *)
  | Private | Public _ | Gone | Ready | Rest -> assert false

(* A job that was claimed and has not begun is for another to run: may be called again. *)
let give_back (w : Worker.t) =
  if w.in_hand then begin
    let job = w.hand in
    Inbox.add w.team.inbox (Job.rest (fun () -> run_claimed (Worker.of_domain ()) job));
    Worker.drop_hand w;
    Team.notify w.team
  end

(* To await a task that nobody has begun is to begin it, at once and on top of the caller: that
   spares the caller its suspension. It has a fiber of its own, so it can be suspended: then the
   caller comes back here, and is suspended in its turn. So whoever lies beneath another waits for
   nothing but its end. Not too many do, as every collection looks at them all; and now and then the
   worker's loop must come by, which keeps tasks from waiting for ever. Kernel: fib, with promises.
*)

let deepest = 64

(* As few words of a fresh fiber's stack as can be: were it to grow, that would cost about as much as
   all the rest. *)

let[@inline] come_back (w : Worker.t) context depth =
  Worker.set_depth w depth;
  Fork_stack.end_task w;
  Worker.adopt w context;
  Worker.unmask w

let[@inline] run_on_top (w : Worker.t) job context depth =
  Worker.mask w;
  Worker.begin_on_top w;
  Fork_stack.end_task w;
  run_claimed w job;
  come_back w context depth

let[@poll error] take_on_top (w : Worker.t) (Job.Job job as j) =
  Job.claim job
  && begin
    Worker.pick_up w j;
    Worker.set_depth w (w.depth + 1);
    true
  end

(* What raises here is a callback's exception, before the task began or after it ended. Only to mask
   and to unmask asks for room on the stack; to reserve it always would make fresh stacks grow. *)
let begin_on_top (w : Worker.t) job context depth =
  if w.unmasked then Critical.reserve_stack ();
  match
    take_on_top w job
    && begin
      Fork_stack.drop_begun w;
      run_on_top w job context depth;
      true
    end
  with
  | has_begun -> has_begun
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Critical.finish (fun () ->
          give_back w;
          come_back w context depth);
      Printexc.raise_with_backtrace exn backtrace

(* The caller is a task that [w] runs, is out of reach, and has nothing else to do before [job], a
   task of the same team, has ended. *)
let try_to_begin (w : Worker.t) job =
  w.depth < deepest
  && (not (Worker.is_last_turn w || w.busy))
  && Hooks.shortcuts ()
  && begin_on_top w job w.context w.depth

let wait sleeper = Hooks.wait None sleep sleeper
let wait_for hold sleeper = Hooks.wait (Some hold) sleep sleeper
let wait_in_any_case sleeper = Hooks.wait None sleep_in_any_case sleeper

let[@inline] is_out_of_reach (w : Worker.t) =
  Token.is_alone w.context.token && Fork_stack.is_clear w

(* A task counts from its start to its end, which runs on a worker, so that its pool can drain. It is
   counted and put where it is found, or neither. *)

let[@inline] enter (w : Worker.t) (context : Context.t) =
  Worker.adopt w context;
  ignore (Token.start context.token : bool);
  Worker.empty_hand w

let[@inline] count_end (context : Context.t) =
  Token.finish context.token;
  let w = Worker.of_domain () in
  Worker.count_end w

let[@inline] job body = Job.task (Hooks.task body)

(* From inside. *)

let[@poll error] put_counted (w : Worker.t) deque job =
  Worker.count_start w;
  Deque.put deque job
  || begin
    Worker.retract_start w;
    false
  end

let rec push_counted (w : Worker.t) deque job =
  if not (put_counted w deque job) then begin
    Deque.make_room deque;
    push_counted w deque job
  end

let count_and_put (w : Worker.t) put job =
  match
    Worker.count_start w;
    put job
  with
  | () -> ()
  | exception exn -> Critical.raise_after Worker.retract_start w exn

let[@inline] start_inside (w : Worker.t) ~urgent job =
  if Team.needs_another w.team then Critical.reserve_stack ();
  if w.busy then count_and_put w (Inbox.add w.team.inbox) job
  else push_counted w (Worker.deque_for w ~urgent) job;
  Team.notify w.team

(* From outside: first counts and then looks at the phase, while [close] sets the phase and then
   counts. So either the task is refused, or the pool waits for it. *)

let[@inline] admit (team : Worker.team) =
  ignore (Atomic.fetch_and_add team.submitted 1 : int);
  match Atomic.get team.phase with
  | Open -> true
  | Closing | Stopped ->
      ignore (Atomic.fetch_and_add team.submitted (-1) : int);
      false

let retract (team : Worker.team) =
  ignore (Atomic.fetch_and_add team.submitted (-1) : int);
  Team.try_stop team

let start_outside (team : Worker.team) put job =
  Critical.reserve_stack ();
  team.record_backtraces <- Printexc.backtrace_status ();
  match
    admit team
    && begin
      put job;
      true
    end
  with
  | true ->
      Team.notify team;
      true
  | false ->
      Team.try_stop team;
      false
  | exception exn -> Critical.raise_after retract team exn

let start_by put (team : Worker.team) job =
  match Worker.mine () with
  | Some w when w.team == team ->
      count_and_put w put job;
      Team.notify team;
      true
  | Some _ | None -> start_outside team put job

let start (team : Worker.team) ~urgent job =
  match Worker.mine () with
  | Some w when w.team == team ->
      start_inside w ~urgent job;
      true
  | Some _ | None -> start_outside team (Inbox.add (Team.inbox team ~urgent)) job

let[@inline] started_here (context : Context.t) =
  let locals = Hooks.start context.locals in
  if locals == context.locals then context else { context with locals }

let context () = match Worker.mine () with Some w -> w.context | None -> Context.none
let poll () = Option.iter (fun (w : Worker.t) -> Token.poll w.context.token.fiber) (Worker.mine ())

let number () =
  match Worker.mine () with
  | Some w when w.context != Context.none -> Token.number w.context.token.fiber
  | Some _ | None -> -1 - Thread.id (Thread.self ())

(* Whether it does: fibers of a host have the number of their thread. *)
let is_told_apart () = Option.is_some (Worker.mine ()) || not (Host.is_here ())

(* The outcome of the calling task, which should hold nothing any more. *)
let let_go outcome = Token.let_go (context ()).token.fiber outcome
