(* Domains.

   A worker is a thread: that of a domain of the pool's own, for as long as the pool is open; or, for
   members.(0), that of a caller that is lent (see below). A pool of one has no domain of its own
   until no caller can be lent.

   Invariant: while tasks are left, some thread is a worker of the pool, a domain is being made for
   it, or the timer is set.

   1. A thread that is a worker no more, or cannot make a domain that would be one, writes that, and then
      wakes the callers that wait for their turn, or looks whether tasks are left.
   2. A thread that adds a task from outside counts it, and then looks whether some thread is a worker.
      So one of the two sees the other, and makes a domain.
   3. Where there is no room for one, the timer tries again.

   Where there are fewer processors than workers, a domain that only parks still costs time: each
   collection waits for it. So those that are more than [active] when the pool is opened have none yet.
   A worker that computes may wait for them, without the scheduler's knowing: so while tasks are left,
   the timer makes one more whenever there is work and no task has come by lately. Once all are there it wakes one
   more, as nobody wakes more than are [active]. *)

open Worker

(* The first worker is for callers, in a pool of more. *)
let first_own team = Int.min 1 (Array.length team.members - 1)
let is_missing w = w.id >= first_own w.team && not (Atomic.get w.is_taken)

(* Some that have a domain are not to be woken by others. *)
let has_surplus team = team.active < Array.length team.members
let is_manned team = Array.exists (fun w -> Atomic.get w.is_taken) team.members

let[@poll error] take w =
  Atomic.compare_and_set w.is_taken false true
  && begin
    ignore (Atomic.fetch_and_add w.team.present 1 : int);
    true
  end

let[@poll error] leave w =
  ignore (Atomic.fetch_and_add w.team.present (-1) : int);
  Atomic.set w.is_taken false

(* What a finaliser or the like raises in the scheduler's code has nobody else to go to. *)
let rec work_as w =
  match Scheduler.work w ~until:(fun () -> Team.is_stopped w.team) with
  | true -> ()
  | false -> assert false (* a fresh domain has no worker *)
  | exception exn ->
      Failure.report (Failure.caught exn);
      work_as w

let period = 0.05 (* seconds *)
let wake_callers team = List.iter Parker.wake (Atomic.get team.callers)

(* Whether some thread is [w], or comes to be. A task that was added meanwhile has seen that it is
   taken: so no signal's handler raises before a domain is made, or the others have heard that there is
   none. *)
let rec spawn w =
  let live () =
    Signals.begin_worker w.team.mask;
    work_as w
  in
  let make () =
    (not (take w))
    || Signals.spawn_domain live ~keep:(Shared.push w.team.domains)
    || begin
      leave w;
      wake_callers w.team;
      if not (Team.is_idle w.team) then set_timer w.team ~seen:(-1) ~period;
      false
    end
  in
  Atomic.get w.is_taken || (Option.is_none !Hooks.installed.alone && Signals.with_all_blocked make)

(* Twice, where a signal's handler raises behind the step: that does no harm. *)
and set_timer team ~seen ~period =
  let set () = ignore (Poller.after period (look_after team ~seen ~period) : Timers.t) in
  if
    (not (Atomic.get team.is_looked_after))
    && Atomic.compare_and_set team.is_looked_after false true
  then Shared.insist set ()

and look_after team ~seen ~period:before () =
  Atomic.set team.is_looked_after false;
  let missing = Array.find_opt is_missing team.members in
  let is_all_done = Team.is_stopped team || Team.is_idle team in
  if (Option.is_some missing || has_surplus team) && not is_all_done then begin
    let now = Team.sum team (fun w -> w.points) in
    let stands = now = seen in
    if stands && (Team.has_work team || Search.is_any_hidden team) && send_one_more team missing
    then
      (* What the newcomer begins is the one point more, if it is blocked, too. *)
      set_timer team ~seen:(now + 1) ~period
    else
      let period = if stands then Float.min 1. (2. *. before) else period in
      set_timer team ~seen:now ~period
  end

and send_one_more team = function
  | Some missing -> spawn missing
  | None ->
      let sleeps = not (Sleepers.is_empty team.sleepers) in
      if sleeps then Team.wake_one team;
      sleeps

(* The domains are made in order, so the last tells whether all are there. *)
let ensure_worker team =
  let last = team.members.(Array.length team.members - 1) in
  if (last.id > 0 && is_missing last) || has_surplus team then set_timer team ~seen:(-1) ~period;
  Team.is_stopped team || is_manned team || spawn team.members.(first_own team)

let see_to team = ignore (ensure_worker team : bool)
let see_to_rest team = if not (Team.is_idle team) then see_to team
let staff team = Team.is_stopped team || spawn team.members.(0) || is_manned team

let open_with team wanted =
  let rec from i = if i < wanted && spawn team.members.(i) then from (i + 1) else i in
  from 1

(* Callers

   While a caller waits, its thread can be lent to the pool as members.(0): one at a time, and one of
   each domain. A fiber of a [Host] is not lent, as that would stop the others of its domain: the pool
   gets a domain for that worker instead, or if there is no room, the fiber is lent after all.

   Other callers park until their cell is full. But a pool of one may have no other thread: so its
   callers are listed in [team.callers], and are woken, too, when the one that is lent has what it waits
   for; then the next is lent. *)

let call_back team () =
  let w = team.members.(0) in
  Slice.call w;
  Parker.wake w.parker

(* [wait], which may be cancelled, and often. It leaves nothing in [cell]. *)
let sitting cell call wait =
  let seat = Ivar.seat () in
  Failure.finally
    (fun () -> Ivar.stand_up seat)
    (fun () ->
      Ivar.sit cell seat call;
      wait ())

(* One of the callers that wait for it is lent next; or the one that was sees to the rest. *)
let free w =
  leave w;
  Shared.insist
    (match Atomic.get w.team.callers with [] -> see_to_rest | _ :: _ -> wake_callers)
    w.team

let lend_thread ?first team ~until =
  let w = team.members.(0) in
  Worker.of_domain () == nobody
  && take w
  &&
  match
    ignore (Slice.take_call w : bool);
    Scheduler.work ?first w ~until
  with
  | works ->
      free w;
      works
  | exception exn -> Failure.raise_after free w exn

(* [false] if the caller cannot be lent. *)
let lend ?first (caller : Host.caller) team cell ~until =
  if caller = Thread then lend_thread ?first team ~until
  else
    (not (staff team)) && sitting cell (call_back team) (fun () -> lend_thread ?first team ~until)

let block caller team cell =
  let parker = Parker.create () in
  let is_only_worker = Array.length team.members = 1 and until () = Ivar.is_full cell in
  (* In a pool of one, another thread is the only worker, or none can be made for lack of a domain. *)
  let rec park () =
    if not (until ()) then begin
      if not (is_only_worker && lend caller team cell ~until) then
        if (not is_only_worker) || ensure_worker team then Host.park caller parker
        else Thread.delay 0.01 (* seconds *);
      park ()
    end
  and finish () =
    Shared.change team.callers (List.filter (( != ) parker));
    (* It may have been woken to be lent. *)
    see_to_rest team
  in
  let take_turns () =
    Failure.finally (Shared.insist finish) (fun () ->
        Shared.push team.callers parker;
        if caller = Host.Thread then sitting cell (call_back team) park else park ())
  in
  sitting cell (fun () -> Parker.wake parker) (if is_only_worker then take_turns else park)

let waiting aim f = Hooks.wait aim None !Hooks.installed.aside f

(* What a caller begins it is to bring to its end, and may be lent for that: so it makes sure first that its
   stack has room for the scheduler, and for [calls] of the library around that. *)
let reserve_stack calls = Section.reserve_stack_for (Scheduler.room + calls)

let wait_as aim caller team cell =
  reserve_stack 1;
  Wait.check_may_block ();
  let wait () =
    if not (lend caller team cell ~until:(fun () -> Ivar.is_full cell)) then block caller team cell
  in
  waiting aim (fun () ->
      if caller = Host.Thread then sitting cell (call_back team) wait else wait ())

let wait aim team cell = wait_as aim (Host.caller ()) team cell

(* A caller that is lent begins with [job]: to have another worker begin would cost its wake-up. It is
   counted and in the worker's hand, or neither. *)
let[@poll error] begin_with w (Job.Job job as j) is_in =
  if Admission.admit w.team then begin
    is_in := true;
    if Job.claim job then Worker.pick_up w j
  end

let run_for caller team job cell is_in =
  let first () =
    Team.follow_caller team;
    begin_with team.members.(0) job is_in;
    if !is_in then begin
      see_to team;
      Scheduler.run_job team.members.(0);
      (* It is going to be full in any case. *)
      if not (Ivar.is_full cell) then Ivar.on_fill cell (call_back team)
    end
  and until () = Ivar.is_full cell || not !is_in in
  if not (lend caller team cell ~first ~until) then begin
    let added = Admission.put_outside team team.inbox job in
    is_in := added <> Nowhere;
    Team.announce team added;
    if !is_in then begin
      see_to team;
      block caller team cell
    end
  end

let running = "waits for the end of a run"

let run team job cell ~cancel =
  reserve_stack 2;
  let is_in = ref false and caller = Host.caller () in
  match waiting running (fun () -> run_for caller team job cell is_in) with
  | () -> !is_in
  | exception exn ->
      let failure = Failure.caught exn in
      if !is_in then begin
        cancel exn;
        (* The fiber of a host that was cancelled cannot suspend any more. *)
        wait_as running Thread team cell
      end;
      Failure.raise failure
