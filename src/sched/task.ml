(* Task: what runs in a fiber of its own, and can therefore be suspended.

   The one effect, and its one handler. Other effects stop here too, whatever handlers the caller of
   a run has: were its continuation captured, the worker's loop would go with it. A stolen fork, an
   [async], and the root of a run are tasks; a fork that its own worker runs is part of the task
   that forked it. *)

open Effect.Deep

(* Who waits: a task that was suspended [here], or a thread that is blocked. *)
type sleeper =
  | Task of {
      team : Worker.team;
      context : Context.t;
      wait : int;
      here : Profile.stamp;
      k : (unit, unit) continuation;
    }
  | Thread of Parker.t

type _ Effect.t +=
  | Suspend : (sleeper -> unit) -> unit Effect.t
  | Suspend_chain : (sleeper -> unit) -> unit Effect.t  (** with what lies below: see [Ahead] *)
  | Go_on : unit Effect.t  (** does nothing: see [can_wait] *)

(* On a worker's own stack. *)
let go_on waker = function
  | Task { context; wait; here; k; _ } ->
      Worker.adopt (Worker.here ()) context;
      Events.tell Events.resume wait;
      if !Profile.is_on then Profile.start (Profile.join here waker);
      continue k ()
  | Thread _ -> assert false (* is woken at once *)

(* A continuation goes back to the pool it came from, as a job: it is never run on the stack of
   whoever resumes it. *)
let wake_for waker = function
  | Thread parker -> Parker.wake parker
  | Task { team; context; _ } as task ->
      Team.add team ~urgent:context.urgent (Job.rest (fun () -> go_on waker task))

let[@inline] waker () = if !Profile.is_on then Profile.pass () else Profile.origin
let wake sleeper = wake_for (waker ()) sleeper

(* Many tasks are one job, which is halved when it runs, so that thieves get large pieces. *)
let rec wake_between waker tasks lo hi =
  if hi - lo > 1 then begin
    let mid = (lo + hi) / 2 in
    wake_later waker tasks mid hi;
    wake_between waker tasks lo mid
  end
  else
    match tasks.(lo) with
    | Task { team; _ } as task when (Worker.here ()).team == team -> go_on waker task
    | task -> wake_for waker task

and wake_later waker tasks lo hi =
  match tasks.(lo) with
  | Task { team; context; _ } ->
      Team.add team ~urgent:context.urgent (Job.rest (fun () -> wake_between waker tasks lo hi))
  | Thread _ -> assert false (* was woken apart *)

let is_task = function Task _ -> true | Thread _ -> false

let wake_all sleepers =
  let waker = waker () and n = Array.length sleepers in
  if not (Array.for_all is_task sleepers) then Array.iter (wake_for waker) sleepers
  else if n > 0 then wake_later waker sleepers 0 n

(* The handler runs on the worker's thread, as the task did. *)
let suspend register k =
  let w = Worker.here () in
  let wait = Events.wait_after w.wait in
  w.wait <- wait;
  Events.tell Events.suspend wait;
  let here = if !Profile.is_on then Profile.stop () else Profile.origin in
  Fork_stack.publish_all w;
  if Fork_stack.offers w then Team.notify w.team;
  register (Task { team = w.team; context = w.context; wait; here; k })

let handler =
  {
    retc = ignore;
    exnc = raise (* nothing gets here: [Job.run] catches what a job raises *);
    effc =
      (fun (type a) (eff : a Effect.t) ->
        match eff with
        | Suspend register -> Some (fun (k : (a, unit) continuation) -> suspend register k)
        | Suspend_chain register -> Some (fun (k : (a, unit) continuation) -> suspend register k)
        | Go_on -> Some (fun (k : (a, unit) continuation) -> continue k ())
        | eff -> Some (fun k -> discontinue k (Effect.Unhandled eff)));
  }

(* Run a claimed fork, or a claimed task, in a fiber of its own. *)
let[@inline] run_fork job = match_with Job.run job handler
let[@inline] run job = match_with Job.run_task job handler

(* To await a task that nobody has begun is to begin it, at once and on top of the caller: that
   spares the caller its suspension. It has a fiber of its own, so it can be suspended: then the
   caller comes back here, and is suspended in its turn. So whoever lies beneath another waits for
   nothing but its end. Not too many do, as every collection looks at them all; and now and then the
   worker's loop must come by, which keeps tasks from waiting for ever. Kernel: fib, with promises.
*)

let deepest = 64

let come_back (w : Worker.t) context =
  w.depth <- w.depth - 1;
  Fork_stack.end_task w;
  Worker.adopt w context;
  w.limit <- 0

let run_on_top (w : Worker.t) job =
  let context = w.context in
  w.turns <- w.turns + 1;
  w.depth <- w.depth + 1;
  w.limit <- 0;
  Fork_stack.end_task w;
  match run job with
  | () -> come_back w context
  | exception exn ->
      (* A signal's handler raised it, before the task began or after it ended. *)
      let backtrace = Printexc.get_raw_backtrace () in
      come_back w context;
      Printexc.raise_with_backtrace exn backtrace

(* The caller is a task that [w] runs, is out of reach, and has nothing else to do before [job], a
   task of the same team, has ended. *)
let try_to_begin (w : Worker.t) (Job.Job job) =
  w.depth < deepest
  && (not (Worker.is_last_turn w || w.busy || !Profile.is_on))
  && Job.claim job
  && begin
    Fork_stack.drop_begun w;
    run_on_top w job;
    true
  end

(* Blocks the calling thread until the sleeper that [register] is given is woken. *)
let block register =
  let parker = Parker.create () in
  register (Thread parker);
  if !Profile.is_on then Profile.aside (fun () -> Parker.wait parker) else Parker.wait parker

(* Waits until the sleeper that [register] is given is woken: suspends the calling task, or blocks
   the calling thread. Whoever wakes it may be any thread, and does so exactly once. *)
let refuse_to_wait () =
  invalid_arg
    "Drover: a finaliser, a signal's handler or a callback from C cannot wait inside a task"

let[@inline] perform eff =
  try Effect.perform eff with Effect.Unhandled (Suspend _ | Suspend_chain _) -> refuse_to_wait ()

(* Whether the calling task can, unlike a callback that has interrupted it: between these two lies a
   frame of C, which no effect passes. For what has to know it before it begins anything. *)
let can_wait () =
  match Effect.perform Go_on with () -> true | exception Effect.Unhandled Go_on -> false

let[@inline] sleep_inside register = perform (Suspend register)

let sleep register =
  match Worker.mine () with Some _ -> sleep_inside register | None -> block register

(* The same, where [register] is given a function that wakes, in a task that [w] runs and
   anywhere. *)

let with_waker register sleeper = register (fun () -> wake sleeper)

let listed (w : Worker.t) register =
  let { Context.token; locals; _ } = w.context in
  Debug.task ~pool:w.team.name ~holds:(Token.held token.fiber) ~locals register

let wait_inside w register =
  sleep_inside (with_waker (if Debug.is_on then listed w register else register))

(* Whether nobody can cancel what [w] runs, not even when it waits: then it has nothing that a thief
   could take and that could fail. *)
let[@inline] is_out_of_reach (w : Worker.t) =
  Token.is_alone w.context.token && Fork_stack.is_clear w

let wait register =
  match Worker.mine () with
  | Some w -> wait_inside w register
  | None -> block (with_waker (if Debug.is_on then Debug.thread register else register))

(* A task counts from its start to its end, which runs on a worker, so that its pool can drain. *)

(* The first thing that the body of a task in [context] does. *)
let[@inline] enter (context : Context.t) =
  Worker.adopt (Worker.here ()) context;
  ignore (Token.start context.token : bool)

(* The last thing. *)
let[@inline] count_end (context : Context.t) =
  Token.finish context.token;
  let w = Worker.here () in
  w.ended <- w.ended + 1

(* From outside: first counts and then looks at the phase, while [close] sets the phase and then
   counts. So either the task is refused, or the pool waits for it. *)
let admit (team : Worker.team) =
  team.record_backtraces <- Printexc.backtrace_status ();
  Atomic.incr team.submitted;
  if Atomic.get team.phase <> Open then begin
    Atomic.decr team.submitted;
    Team.try_stop team;
    false
  end
  else true

(* What code inherits that is called here. *)
let context () = match Worker.mine () with Some w -> w.context | None -> Context.none
let[@inline] job body = Job.task (if !Profile.is_on then Profile.task body else body)

(* A job that runs [body], which must not raise, enters its context and counts the end, as a task of
   the calling task, which [w] runs. *)
let[@inline] create_inside (w : Worker.t) body =
  w.started <- w.started + 1;
  job body

(* The same for any caller, as a task of [team]; [None] if that is closed to the caller. *)
let create team body =
  match Worker.mine () with
  | Some w when w.team == team -> Some (create_inside w body)
  | Some _ | None -> if admit team then Some (job body) else None

(* Starts [job], which [put] puts where workers find it, as a task of [team]: both or neither, should
   [put] raise, or the caller be interrupted. [false] if [team] is closed to the caller. The body of
   [job] must not raise, enters its context and counts the end. *)
let start_by put (team : Worker.team) job =
  let count, discount =
    match Worker.mine () with
    | Some w when w.team == team ->
        ( (fun () ->
            w.started <- w.started + 1;
            true),
          fun () -> w.started <- w.started - 1 )
    | Some _ | None -> ((fun () -> admit team), fun () -> Atomic.decr team.submitted)
  in
  let put_counted () =
    match put job with
    | () -> ()
    | exception exn ->
        discount ();
        raise exn
  in
  count ()
  && begin
    put_counted ();
    Team.notify team;
    true
  end

(* Raises if the calling task is cancelled. *)
let poll () = Option.iter (fun (w : Worker.t) -> Token.poll w.context.token.fiber) (Worker.mine ())

(* Tells the calling task, or thread, from all others. *)
let number () =
  match Worker.mine () with
  | Some w when w.context != Context.none -> Token.number w.context.token.fiber
  | Some _ | None -> -1 - Thread.id (Thread.self ())

(* The outcome of the calling task, which should hold nothing any more. *)
let let_go outcome = Token.let_go (context ()).token.fiber outcome
