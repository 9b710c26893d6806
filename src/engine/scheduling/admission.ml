(* Admission: a task counts from its start to its end, which runs on a worker, so that its pool can
   drain. It is counted and put where it is found, or neither. *)

(* Apart, so that its caller keeps less meanwhile: see [Promise.work]. *)
let[@inline never] begin_task (w : Worker.t) (context : Context.t) =
  Worker.adopt w context;
  Hooks.begins ~is_fork:false context.locals;
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

let put_inside (w : Worker.t) ~urgent job =
  let deque = Worker.deque_for w ~urgent in
  if not (put_counted w deque job) then make_room_and_put w deque job

let start_inside w ~urgent job =
  put_inside w ~urgent job;
  Team.announce w.team Behind

(* From outside: first counts and then looks at the phase, while [close] sets the phase and then
   counts. So either the task is refused, or the pool waits for it. *)

let[@inline] admit (team : Worker.team) =
  ignore (Atomic.fetch_and_add team.submitted 1 : int);
  let is_in = Atomic.get team.phase = Open in
  if not is_in then ignore (Atomic.fetch_and_add team.submitted (-1) : int);
  is_in

(* A task that was counted, and is not there, would keep the pool from its end. *)
let add inbox job ~uncount = try Team.add inbox job with exn -> Failure.raise_after uncount () exn

let put_outside (team : Worker.team) inbox job =
  (* Not a timer that a worker serves between two tasks. *)
  if Worker.here () == Worker.nobody then Team.follow_caller team;
  let uncount () =
    ignore (Atomic.fetch_and_add team.submitted (-1) : int);
    Shared.insist Team.try_stop team
  in
  if admit team then add inbox job ~uncount
  else begin
    Team.try_stop team;
    Nowhere
  end

let put ?inbox (team : Worker.team) ~urgent job : Team.added =
  match (Worker.mine (), inbox) with
  | Some w, None when w.team == team ->
      put_inside w ~urgent job;
      Behind
  | Some w, Some inbox when w.team == team ->
      let uncount () = w.started <- w.started - 1 in
      w.started <- w.started + 1;
      add inbox job ~uncount
  | _, Some inbox -> put_outside team inbox job
  | _, None -> put_outside team (Team.inbox team ~urgent) job

let start ?inbox team ~urgent job =
  let added = put ?inbox team ~urgent job in
  Team.announce team added;
  added <> Nowhere
