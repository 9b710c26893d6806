(* Caller: a thread outside a pool that needs something of it.

   The pool has a place for one such thread, members.(0): while the thread waits, it is that worker,
   so its domain works too. The place can be lent to one thread at a time, and one of each domain;
   others sleep. A pool of one worker has nobody but its caller: when no caller can be lent, a
   domain of the pool's own takes the place, for good; or where there is no room for one, callers
   take turns. *)

open Worker

let rec remember (team : team) domain =
  let domains = Atomic.get team.domains in
  if not (Atomic.compare_and_set team.domains domains (domain :: domains)) then remember team domain

(* What a finaliser or the like raises in the scheduler's code has nobody else to go to. *)
let rec work_as w () =
  let until () = Team.is_stopped w.team in
  match Scheduler.work w ~until with
  | true -> ()
  | false -> assert false (* a fresh domain has no worker *)
  | exception exn ->
      Failure.report (Failure.caught exn);
      work_as w ()

let serve_as w ~mask () =
  Signals.begin_worker mask;
  Critical.finish_to_end (work_as w);
  (* Whoever joins the domain is not to be told of a callback that raised here. *)
  Critical.finish_to_end Poller.leave;
  Critical.finish_to_end Blocking.leave

(* Gives [w] a domain of the pool's own; [false] if there is no room for another. It is born with all
   signals blocked, so that not even its first steps run a handler. *)
let spawn w =
  let mask = Signals.program_mask () in
  Signals.with_all_blocked (fun () ->
      match Domain.spawn (serve_as w ~mask) with
      | domain ->
          remember w.team domain;
          true
      | exception (Failure _ | Sys_error _) -> false)

(* Whoever may not find it free must be told. *)
let free_place team =
  Atomic.set team.lent false;
  Claimants.wake_all ()

(* Sees to it that somebody runs what is added from outside; [false] if nobody can, for lack of
   another domain. *)
let serve team =
  Array.length team.members > 1
  || Team.is_stopped team
  || (not (Atomic.compare_and_set team.lent false true))
  || spawn team.members.(0)
  || begin
    free_place team;
    false
  end

(* Gives the place to a domain of the pool's own, for good, unless somebody has it: then no caller
   is lent any more. Where there is no room for another domain, callers still are; [false] if they
   are the only ones. *)
let staff team =
  Atomic.get team.lent || Team.is_stopped team
  || (not (Atomic.compare_and_set team.lent false true))
  || spawn team.members.(0)
  || begin
    free_place team;
    Array.length team.members > 1
  end

(* Tasks that are left, even those that sleep, may need a worker when nobody comes any more. May be
   called again. *)
let take_back_place team =
  free_place team;
  if Array.length team.members = 1 && not (Team.is_idle team) then ignore (serve team : bool)

let lend ?first team ~until =
  Atomic.compare_and_set team.lent false true
  &&
  match Scheduler.work ?first team.members.(0) ~until with
  | true ->
      take_back_place team;
      true
  | false ->
      free_place team;
      false
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Critical.finish_with take_back_place team;
      Printexc.raise_with_backtrace exn backtrace

let is_full cell = Option.is_some (Ivar.peek cell)
let wake_when_full team cell = Ivar.on_fill cell (fun () -> Parker.wake team.members.(0).parker)

(* In a pool of one, where another thread has the place, or the domain has another worker. *)
let rec block_in_turn team cell parker =
  if not (is_full cell) then begin
    let has_turn = Worker.here () == Worker.nobody && lend team ~until:(fun () -> is_full cell) in
    if not has_turn then Parker.wait parker;
    block_in_turn team cell parker
  end

let block team cell =
  if Array.length team.members > 1 then begin
    let sleeper = Sleeper.create () in
    Ivar.on_fill cell (fun () -> ignore (Sleeper.wake sleeper : bool));
    Task.block sleeper
  end
  else begin
    wake_when_full team cell;
    Claimants.among (fun parker ->
        Ivar.on_fill cell (fun () -> Parker.wake parker);
        ignore (serve team : bool);
        block_in_turn team cell parker)
  end

let wait_for team cell =
  wake_when_full team cell;
  if not (lend team ~until:(fun () -> is_full cell)) then block team cell

let debugged f = if Debug.is_on then Strand.finally f (Debug.enter_thread ()) else f ()
let aside f = debugged (fun () -> if !Profile.is_on then Profile.aside f else f ())

(* Waits, outside any task, until [cell] is full. *)
let wait team cell =
  Task.check_may_block ();
  aside (fun () -> wait_for team cell)

(* Whoever is lent begins with [job]: to have another worker begin would cost its wake-up. It is
   counted and in the worker's hand, or neither. *)
let[@poll error] begin_with w (Job.Job job as j) is_in =
  if Task.admit w.team then begin
    is_in := true;
    if Job.claim job then w.hand <- j
  end

let run_for team job cell is_in =
  let w = team.members.(0) in
  let first () =
    team.record_backtraces <- Printexc.backtrace_status ();
    begin_with w job is_in;
    if !is_in then begin
      Scheduler.run_job w;
      if not (is_full cell) then wake_when_full team cell
    end
  in
  let until () = is_full cell || not !is_in in
  if not (lend team ~first ~until) then begin
    is_in := Task.start_outside team (Inbox.add team.inbox) job;
    if !is_in then block team cell
  end

(* Runs [job], outside any task, and waits until [cell] is full, which it fills; [false] if [team] is
   closed. When a signal's handler raises in the scheduler's code, the work is cancelled, and waited
   for; unless another handler raises meanwhile. *)
let run team job cell ~cancel =
  let is_in = ref false in
  match aside (fun () -> run_for team job cell is_in) with
  | () -> !is_in
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      if !is_in then begin
        cancel exn;
        wait team cell
      end;
      Printexc.raise_with_backtrace exn backtrace
