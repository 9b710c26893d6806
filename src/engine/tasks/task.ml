(* Task: the code of a job runs in a fiber of its own, on the worker's own stack, whose handler keeps the rest
   of a task that is suspended.

   Nothing can get between the effect [Suspend] and the end of its handler, or the continuation would be lost.
   So the code of a handler has no safepoint, not even at its start: it allocates nothing, and what it calls at
   its end is inlined, or of another module. (That of [Effect.Deep.match_with] has one, as it calls a function
   that it does not know.) Nor does it ask for room on the stack, which may be full below a task that lies on
   another.

   A job that was claimed is its worker's [hand] until its own code has begun. What raises before that in the
   scheduler gives it back. A claimed fork that was cancelled before it started is skipped; a task looks
   itself, because its end is counted. *)

open Effect.Deep

(* The calling task *)

let context () = match Worker.mine () with Some w -> w.context | None -> Context.none

let[@inline] started_here (context : Context.t) =
  let locals = Hooks.start context.locals in
  if locals == context.locals then context else { context with locals }

let poll () = Option.iter (fun (w : Worker.t) -> Token.poll w.context.token) (Worker.mine ())
let[@inline] number_of_thread () = -1 - This_thread.number ()

let number () =
  match Worker.mine () with
  | Some w when w.context != Context.none -> Token.number w.context.token
  | Some _ | None -> number_of_thread ()

(* Whether it does: fibers of a host have the number of their thread. *)
let is_told_apart () = Option.is_some (Worker.mine ()) || not (Host.is_here ())

(* Its code *)

(* What the code of a job raises is its own. *)
let[@inline] catch f =
  try
    Section.begin_user_code (Worker.here ());
    let v = f () in
    Section.end_user_code (Worker.here ());
    Ok v
  with exn ->
    Section.end_user_code (Worker.here ());
    Failure.error exn

(* What interrupts the allocation goes where the other exception would. *)
let[@inline] refuse (type a) (eff : a Effect.t) k =
  match Effect.Unhandled eff with
  | unhandled -> discontinue k unhandled
  | exception exn -> discontinue k exn

(* [f x] in a fiber of its own. What it raises is from a callback that interrupted the scheduler: see
   [Scheduler]. *)
let in_fiber f x =
  match
    (Worker.here ()).stack_id <- This_thread.stack ();
    f x
  with
  | _ -> ()
  | effect Waiter.Suspend t, k -> if not (Waiter.suspend t k) then continue k ()
  | effect Waiter.Go_on, k -> continue k ()
  | effect eff, k -> refuse eff k

(* A thief says how long what it has stolen took: of a fork, before its owner can see that it has ended. *)
let timed (w : Worker.t) run x =
  let victim = w.victim in
  if victim < 0 then run x
  else begin
    let since = System.now () and victim = w.team.members.(victim) in
    Worth.begin_stolen w victim since;
    let v = run x in
    Worth.end_stolen w victim (System.now () -. since);
    v
  end

let run_task (job : _ Job.job) = timed (Worker.here ()) job.body ()

(* From the first step of the fork's own code to its end nothing is allocated but by that. *)
let run_fork (job : _ Job.job) =
  let body = job.body in
  let begin_now () =
    Worker.empty_hand (Worker.here ());
    timed (Worker.here ()) body ()
  and conclude = Job.conclude job in
  let outcome = catch begin_now in
  Shared.insist conclude outcome

let[@inline] run (w : Worker.t) (Job.Job job) =
  match Job.state job with
  | Begun -> in_fiber run_task job
  | Taken { context; _ } | Awaited ({ context; _ }, _) ->
      Worker.adopt w context;
      Hooks.begins ~is_fork:true context.locals;
      if Token.start context.token then in_fiber run_fork job else Job.skip job
  | Resumed -> ignore (job.body ())
  | Ended _ -> () (* it was interrupted after its end *)
  | Private | Public _ | Gone | Ready | Part | Rest -> assert false

(* A job that was claimed and has not begun is for another to run. No safepoint lies between the
   addition and the end of having it in hand. *)
let give_back (w : Worker.t) =
  if w.in_hand then begin
    let job = w.hand in
    let rest = Job.rest (fun () -> run (Worker.here ()) job) in
    let added = Team.add w.team.inbox rest in
    w.in_hand <- false;
    Team.announce w.team added
  end

(* To await a task that nobody has begun is to call it, at once and on top of the caller.

   1. Where nobody can cancel the caller ([is_out_of_reach]), the task gets no fiber. When it is
      suspended, so is the caller, in the same step, and the tasks that lie beneath that: they have
      nothing to do before the task has ended. When it goes on, elsewhere perhaps, they do.
   2. Where the task is of the caller's scope, which waits for it in any case, or where the caller lies in an
      effect handler of the user's, which the task must not find, or has used up much of its stack, which the
      task may need, it gets a fiber of its own. When it is suspended, the caller comes back here, and is
      suspended in its turn.

   Not too many lie on each other, as every collection looks at them all; and the worker's loop must come
   by when there is what would wait for ever. To suspend the caller for nothing changes the order in which
   tasks run: a memo table, for example, is looked at before it is filled. Probe: promises. *)

let[@poll error] take_on_top (w : Worker.t) (Job.Job job as j) =
  Job.claim job
  && begin
    Worker.pick_up w j;
    w.depth <- w.depth + 1;
    true
  end

(* The caller goes on, perhaps on another worker. As [Shared.insist], without a closure. *)
let rec come_back context depth stack_id ~in_section =
  match
    let w = Worker.here () in
    if w.in_hand then give_back w;
    w.depth <- depth;
    w.stack_id <- stack_id;
    Fork_stack.end_task w;
    Worker.adopt w context
  with
  | () -> if not in_section then Section.begin_user_code (Worker.here ())
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      come_back context depth stack_id ~in_section;
      Printexc.raise_with_backtrace exn backtrace

(* In a section, but for the task's own code: what the caller has begun is for others meanwhile, unless it
   is out of reach. What raises here is a signal's handler, before the task has begun or after it has
   ended. *)
let run_on_top (w : Worker.t) (Job.Job job as j) ~is_out_of_reach =
  let { Worker.context; depth; stack_id; in_section; _ } = w in
  Section.end_user_code w;
  match
    if not is_out_of_reach then Fork_stack.publish_all w;
    take_on_top w j
    && begin
      (* Each time would cost a tenth of a promise; thieves and the owner pass over a few that have begun. *)
      if w.turns land 7 = 0 then Fork_stack.drop_begun w;
      w.turns <- w.turns + 1;
      w.limit <- 0;
      if is_out_of_reach && stack_id = This_thread.stack () && This_thread.stack_may_double () then
        ignore (job.body ())
      else in_fiber run_task job;
      true
    end
  with
  | true ->
      come_back context depth stack_id ~in_section;
      true
  | false ->
      if not in_section then Section.begin_user_code (Worker.here ());
      false
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      come_back context depth stack_id ~in_section;
      Printexc.raise_with_backtrace exn backtrace

let try_to_run (w : Worker.t) job ~is_waited_for =
  w.depth < 256
  && (not (Team.is_neglected_next w || Slice.is_due w ~is_counted:false))
  && !Hooks.installed.shortcuts
  &&
  let is_out_of_reach = Token.is_alone w.context.token && Fork_stack.is_clear w in
  (is_out_of_reach || is_waited_for)
  && begin
    Section.reserve_stack ();
    run_on_top w job ~is_out_of_reach
  end
