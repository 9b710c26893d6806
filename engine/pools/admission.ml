(* Admission: a task counts from its start to its end, which runs on a worker, so that its pool can
   drain. It is counted and put where it is found, or neither. *)

(* Apart, so that its caller keeps less meanwhile: see [Promise.work]. *)
let[@inline never] begin_task (w : Worker.t) (context : Context.t) =
  Worker.adopt w context;
  ignore (Token.start context.token : bool);
  Worker.empty_hand w

let[@inline] job body = Job.task (!Hooks.installed.task body)

(* From inside. *)

let[@poll error] put_counted (w : Worker.t) deque job =
  w.started <- w.started + 1;
  Deque.put deque job
  || begin
    w.started <- w.started - 1;
    false
  end

let rec make_room_and_put w deque job =
  Deque.make_room deque;
  if not (put_counted w deque job) then make_room_and_put w deque job

let start_inside (w : Worker.t) ~urgent job =
  let deque = Worker.deque_for w ~urgent in
  if not (put_counted w deque job) then make_room_and_put w deque job;
  Team.notify w.team

(* From outside: first counts and then looks at the phase, while [close] sets the phase and then
   counts. So either the task is refused, or the pool waits for it. *)

let[@inline] admit (team : Worker.team) =
  ignore (Atomic.fetch_and_add team.submitted 1 : int);
  let is_in = Atomic.get team.phase = Open in
  if not is_in then ignore (Atomic.fetch_and_add team.submitted (-1) : int);
  is_in

let start_outside (team : Worker.team) put job =
  (* Not a timer that a worker serves between two tasks. *)
  if Worker.here () == Worker.nobody then Team.follow_caller team;
  let is_in = admit team in
  if is_in then put job else Team.try_stop team;
  is_in

let start ?inbox (team : Worker.team) ~urgent job =
  match Worker.mine () with
  | Some w when w.team == team ->
      (match inbox with
      | None -> start_inside w ~urgent job
      | Some inbox ->
          w.started <- w.started + 1;
          Team.add_to team inbox job);
      true
  | Some _ | None ->
      let inbox = match inbox with Some inbox -> inbox | None -> Team.inbox team ~urgent in
      start_outside team (Team.add_to team inbox) job
