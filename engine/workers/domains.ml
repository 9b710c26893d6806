(* Domains.

   The place of a worker is taken by a thread: that of a domain of the pool's own, or, for
   members.(0), of a caller that is lent (see [Caller]).

   Free --take--> Held --give_up--> Free
                   +--keep--> the domain's --leave--> Free

   Where other programs want the processors too, or there are fewer than workers, a domain that only
   stands by still costs time: each collection waits for it. So it ends, and its worker is away. A
   timer looks after those that are away. They come back when all are to be tried again (see
   [Crowding]); and one by one while there is work and no task comes by, as those that run may wait
   for it without the scheduler's knowing. The timer is set while somebody is away and tasks are
   left; whoever adds a task from outside sees to that.

   As long as tasks are left, some place is taken, or the timer is set: whoever frees one then looks
   whether it was the last, and tasks are left; whoever adds a task from outside then looks whether
   one is taken. So one of them sees the other, and makes a domain (see [provide]), or stays if it is
   one; whoever has taken a place for a domain, and finds no room for that, sets the timer. *)

open Worker

(* Who has the place of a worker, and gives it up once, whatever is interrupted: a thread that is
   lent, or whoever makes a domain for it, until that has come and keeps it. *)
type lease = { place : Worker.t; is_held : bool Atomic.t }

let lease place = { place; is_held = Atomic.make false }

(* The first is a caller's. *)
let[@inline] count_away w n = if w.id > 0 then ignore (Atomic.fetch_and_add w.team.away n : int)

let[@inline] take_place w =
  Atomic.compare_and_set w.is_taken false true
  && begin
    count_away w (-1);
    true
  end

let[@inline] free_place w =
  ignore (Atomic.exchange w.is_taken false : bool);
  count_away w 1

(* Each of these is one step. *)

let[@poll error] take lease =
  take_place lease.place
  && begin
    ignore (Atomic.exchange lease.is_held true : bool);
    true
  end

let[@poll error] keep lease = Atomic.exchange lease.is_held false
let[@poll error] give_up lease = if Atomic.exchange lease.is_held false then free_place lease.place

(* Whoever may not find it free must be told. May be called again. *)
let free lease =
  give_up lease;
  Claimants.wake_all ()

let is_manned team = Array.exists (fun w -> Atomic.get w.is_taken) team.members

(* Those that it has, to be joined when the pool closes; apart from those that are about to end. *)

let forget_this team =
  let is_other domain = Domain.get_id domain <> Domain.self () in
  Shared.change team.domains (List.filter is_other)

(* What a domain does, once each; it may be interrupted by a callback that raises. *)
type life = { worker : Worker.t; mutable has_left : bool }

let[@poll error] leave_place life =
  if not life.has_left then begin
    life.has_left <- true;
    free_place life.worker
  end

let[@poll error] return life =
  take_place life.worker
  && begin
    life.has_left <- false;
    true
  end

let period = 0.05 (* seconds *)
let longest_period = 1.

let rec spawn w =
  Atomic.get w.is_taken
  ||
  let lease = lease w and life = { worker = w; has_left = false } in
  let live () = if keep lease then Critical.finish_to_end (serve_in life) in
  let make () =
    (not (take lease))
    ||
    match Births.spawn live ~keep:(Shared.push w.team.domains) with
    | is_there ->
        if not is_there then Critical.finish_with leave_unborn lease;
        is_there
    | exception exn -> Critical.raise_after leave_unborn lease exn
  in
  Duty.during ~hand_over:(fun () -> give_back lease) make

and serve_in life () =
  let { worker = w; has_left } = life in
  if not has_left then begin
    Signals.begin_worker w.team.mask;
    work_as w;
    leave_place life
  end;
  if is_wanted w.team && return life then serve_in life ()
  else begin
    if not (Team.is_stopped w.team) then forget_this w.team;
    if Ticker.has_begun () then Births.leaves_finalisers ();
    Poller.leave ();
    Blocking.leave ()
  end

(* What a finaliser or the like raises in the scheduler's code has nobody else to go to. *)
and work_as w =
  let until () = Team.is_stopped w.team || may_end w in
  match Scheduler.work w ~until with
  | true -> ()
  | false -> assert false (* a fresh domain has no worker *)
  | exception exn ->
      Failure.report (Failure.caught exn);
      work_as w

(* Somebody looks after timers then. *)
and may_end w =
  Crowding.lets_go w
  && begin
    set_timer w.team;
    Poller.pass_on ()
  end

(* Tasks are left, and nobody is there. *)
and is_wanted team =
  (not (Team.is_idle team))
  && begin
    watch team;
    not (Team.is_stopped team || is_manned team)
  end

(* A task that came meanwhile has seen that the place was taken. *)
and leave_unborn lease =
  free lease;
  if is_wanted lease.place.team then set_timer lease.place.team

(* To be called after a place has become free, or a task was added from outside. May be called
   again. *)
and provide team = if is_wanted team then ignore (serve team : bool)

(* Tasks that are left, even those that wait, may need a worker when nobody comes any more. *)
and give_back lease =
  free lease;
  provide lease.place.team

(* Sees to it that somebody is there; [false] if nobody can, for lack of another domain. *)
and serve team =
  Team.is_stopped team || is_manned team
  || spawn team.members.(Int.min 1 (Array.length team.members - 1))

(* The timer *)

and set_timer team =
  if Atomic.compare_and_set team.watch.is_set false true then
    ignore
      (Poller.at (Clock.now () +. team.watch.period) (fun () -> look_after team) : Awaited.timer)

and look_after team =
  Atomic.set team.watch.is_set false;
  if not (Team.is_stopped team || Team.is_idle team) then begin
    let now = Team.points team in
    let stands = now = team.watch.seen in
    team.watch.seen <- now;
    team.watch.period <-
      (if stands then Float.min longest_period (2. *. team.watch.period) else period);
    if stands && Team.has_work team then bring_back team 1 (Array.length team.members)
    else if stands || Crowding.is_time_to_retry team then begin
      bring_back team max_int (Crowd.most team.crowding.crowd);
      Crowding.retry team
    end;
    provide team
  end

(* So many of the first [among]. *)
and bring_back team left among =
  let rec from i left =
    if left > 0 && i < among then
      if Atomic.get team.members.(i).is_taken then from (i + 1) left
      else if spawn team.members.(i) then from (i + 1) (left - 1)
  in
  from 1 left

and watch team = if Atomic.get team.away > 0 then set_timer team

let staff team = Team.is_stopped team || spawn team.members.(0) || is_manned team

(* Makes the domains of the first so many workers, the caller's apart; how many there are then. *)
let open_with team wanted =
  team.watch.period <- period;
  team.watch.seen <- -1;
  Atomic.set team.away (Array.length team.members - 1);
  let rec from i = if i < wanted && spawn team.members.(i) then from (i + 1) else i in
  from 1
