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

let serve_as w ~mask () =
  Signals.begin_worker mask;
  let until () = Team.is_stopped w.team in
  if not (Scheduler.work w ~until) then assert false (* a fresh domain has no worker *);
  Poller.leave ();
  Blocking.leave ()

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

let lend ?first team ~until =
  Atomic.compare_and_set team.lent false true
  && begin
    let lent =
      Fun.protect
        (fun () -> Scheduler.work ?first team.members.(0) ~until)
        ~finally:(fun () -> free_place team)
    in
    (* Tasks that are left, even those that sleep, may need a worker when nobody comes any more. *)
    if lent && Array.length team.members = 1 && not (Team.is_idle team) then
      ignore (serve team : bool);
    lent
  end

let is_full cell = Option.is_some (Ivar.peek cell)
let wake_when_full team cell = Ivar.on_fill cell (fun () -> Parker.wake team.members.(0).parker)

(* In a pool of one, where another thread has the place, or the domain has another worker. *)
let rec block_in_turn team cell parker =
  if not (is_full cell) then begin
    if not (lend team ~until:(fun () -> is_full cell)) then Parker.wait parker;
    block_in_turn team cell parker
  end

let block team cell =
  if Array.length team.members > 1 then
    Task.block (fun sleeper -> Ivar.on_fill cell (fun () -> Task.wake sleeper))
  else begin
    wake_when_full team cell;
    Claimants.among (fun parker ->
        Ivar.on_fill cell (fun () -> Parker.wake parker);
        ignore (serve team : bool);
        block_in_turn team cell parker)
  end

let wait_for team cell =
  wake_when_full team cell;
  if Debug.is_on then Ivar.on_fill cell (Debug.enter_thread ());
  if not (lend team ~until:(fun () -> is_full cell)) then block team cell

(* Who is lent begins with [job]: to have another worker begin would cost its wake-up. *)
let run_for team (Job.Job job as j) cell =
  if Debug.is_on then Ivar.on_fill cell (Debug.enter_thread ());
  let first () =
    if Job.claim job then Scheduler.run_job team.members.(0) j;
    if not (is_full cell) then wake_when_full team cell
  in
  if not (lend team ~first ~until:(fun () -> is_full cell)) then begin
    Team.add_outside team ~urgent:false j;
    block team cell
  end

let aside f = if !Profile.is_on then Profile.aside f else f ()

(* Waits, outside any task, until [cell] is full. *)
let wait team cell = aside (fun () -> wait_for team cell)

(* Runs [job], outside any task, and waits until [cell] is full, which it fills. *)
let run team job cell = aside (fun () -> run_for team job cell)
