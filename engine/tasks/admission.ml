(* Admission: a task counts from its start to its end, which runs on a worker, so that its pool can
   drain. It is counted and put where it is found, or neither. *)

(* Apart, so that its caller keeps less meanwhile: see [Promise.work]. *)
let[@inline never] enter (w : Worker.t) (context : Context.t) =
  Current.adopt w context;
  ignore (Token.start context.token : bool);
  Worker.empty_hand w

let[@inline] count_end (context : Context.t) =
  Token.finish context.token;
  let w = Worker.here () in
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

let retract (team : Worker.team) =
  ignore (Atomic.fetch_and_add team.submitted (-1) : int);
  Team.try_stop team

let start_outside (team : Worker.team) put job =
  Critical.reserve_stack ();
  Team.follow_caller team;
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
