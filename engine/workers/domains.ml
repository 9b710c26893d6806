(* Domains.

   A worker is a thread: that of a domain of the pool's own, for as long as the pool is open; or, for
   members.(0), that of a caller that is lent (see [Caller]). A pool of one has no domain of its own
   until no caller can be lent.

   Invariant: while tasks are left, some thread is a worker of the pool, a domain is being made for
   it, or the timer is set.

   1. A thread that is a worker no more writes that, and then looks whether tasks are left.
   2. Who adds a task from outside counts it, and then looks whether some thread is a worker. So one
      of the two sees the other, and makes a domain.
   3. Where there is no room for one, the timer tries again.

   Where there are fewer processors than workers, a domain that only parks still costs time: each
   collection waits for it. So those that are more than [active] when the pool is opened have none yet.
   A worker that computes may wait for them, without the scheduler's knowing: so while tasks are left,
   the timer makes one more whenever there is work and no task has come by lately. *)

open Worker

(* The first worker is for callers, in a pool of more. *)
let first_own team = Int.min 1 (Array.length team.members - 1)
let is_manned team = Array.exists (fun w -> Atomic.get w.is_taken) team.members
let take w = Atomic.compare_and_set w.is_taken false true

(* What a finaliser or the like raises in the scheduler's code has nobody else to go to. *)
let rec work_as w =
  match Scheduler.work w ~until:(fun () -> Team.is_stopped w.team) with
  | true -> ()
  | false -> assert false (* a fresh domain has no worker *)
  | exception exn ->
      Failure.report (Failure.caught exn);
      work_as w

let live w () =
  Signals.begin_worker w.team.mask;
  work_as w

let period = 0.05 (* seconds *)
let longest_period = 1.

(* Whether some thread is [w], or comes to be. A task that was added meanwhile has seen that it is
   taken. *)
let rec spawn w =
  (not (take w))
  || Spawn.domain (live w) ~keep:(Shared.push w.team.domains)
  || begin
    Atomic.set w.is_taken false;
    if not (Team.is_idle w.team) then set_timer w.team ~seen:(-1) ~period;
    false
  end

and set_timer team ~seen ~period =
  if Atomic.compare_and_set team.is_looked_after false true then
    ignore (Poller.after period (look_after team ~seen ~period) : Timers.t)

and look_after team ~seen ~period:before () =
  Atomic.set team.is_looked_after false;
  match
    Array.find_opt (fun w -> w.id >= first_own team && not (Atomic.get w.is_taken)) team.members
  with
  | Some missing when not (Team.is_stopped team || Team.is_idle team) ->
      let now = Team.points team in
      let stands = now = seen in
      if stands && Team.has_work team then ignore (spawn missing : bool);
      let period = if stands then Float.min longest_period (2. *. before) else period in
      set_timer team ~seen:now ~period
  | Some _ | None -> ()

(* The domains are made in order, so the last tells whether all are there. *)
let ensure_worker team =
  let last = team.members.(Array.length team.members - 1) in
  if last.id > 0 && not (Atomic.get last.is_taken) then set_timer team ~seen:(-1) ~period;
  Team.is_stopped team || is_manned team || spawn team.members.(first_own team)

let see_to_rest team = if not (Team.is_idle team) then ignore (ensure_worker team : bool)

(* One of the callers that wait for it is lent next; or sees to the rest when it leaves. *)
let free w =
  Atomic.set w.is_taken false;
  match Atomic.get w.team.callers with
  | [] -> Stubborn.call see_to_rest w.team
  | callers -> Stubborn.call (List.iter Parker.wake) callers

let staff team = Team.is_stopped team || spawn team.members.(0) || is_manned team

let open_with team wanted =
  let rec from i = if i < wanted && spawn team.members.(i) then from (i + 1) else i in
  from 1
