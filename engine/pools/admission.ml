(* Admission: a task counts from its start to its end, which runs on a worker, so that its pool can
   drain. It is counted and put where it is found, or neither. *)

(* Apart, so that its caller keeps less meanwhile: see [Promise.work]. *)
let[@inline never] enter (w : Worker.t) (context : Context.t) =
  Worker.adopt w context;
  ignore (Token.start context.token : bool);
  Worker.empty_hand w

let[@inline] count_end (context : Context.t) =
  Token.finish context.token;
  let w = Worker.here () in
  w.ended <- w.ended + 1

let[@inline] job body = Job.task (!Hooks.installed.task body)

(* From inside. *)

let[@poll error] put_counted (w : Worker.t) deque job =
  w.started <- w.started + 1;
  Deque.put deque job
  || begin
    w.started <- w.started - 1;
    false
  end

let rec push_counted (w : Worker.t) deque job =
  if not (put_counted w deque job) then begin
    Deque.make_room deque;
    push_counted w deque job
  end

let[@inline] start_inside (w : Worker.t) ~urgent job =
  push_counted w (Worker.deque_for w ~urgent) job;
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

let start_outside (team : Worker.team) put job =
  Team.follow_caller team;
  let is_in = admit team in
  if is_in then begin
    put job;
    Team.notify team
  end
  else Team.try_stop team;
  is_in

let start_by put (team : Worker.team) job =
  match Worker.mine () with
  | Some w when w.team == team ->
      w.started <- w.started + 1;
      put job;
      Team.notify team;
      true
  | Some _ | None -> start_outside team put job

let start (team : Worker.team) ~urgent job =
  match Worker.mine () with
  | Some w when w.team == team ->
      start_inside w ~urgent job;
      true
  | Some _ | None -> start_outside team (Inbox.add (Team.inbox team ~urgent)) job
