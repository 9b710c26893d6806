(* Caller.

   The pool has a place for one caller, members.(0): while that waits, it is this worker. The
   place can be lent to one thread at a time, and one of each domain; others wait. A pool of one
   worker has nobody but its caller: when no caller can be lent, a domain of the pool's own takes
   the place, for good; or where there is no room for one, callers take turns.

   A fiber of a [Host] is not lent, as that would stop the others of its domain: the pool is
   staffed instead. *)

open Worker

let lend ?first team ~until =
  Critical.reserve_stack ();
  let lease = Domains.lease team.members.(0) in
  Domains.take lease
  &&
  match Scheduler.work ?first lease.place ~until with
  | works ->
      Critical.finish_with Domains.give_back lease;
      works
  | exception exn -> Critical.raise_after Domains.give_back lease exn

let slice = 0.01 (* seconds *)
let wake_when_full team cell = Ivar.on_fill cell (fun () -> Parker.wake team.members.(0).parker)

(* Where there is no room for another domain, a fiber is lent nevertheless. *)
let is_lent (caller : Host.caller) team cell =
  caller = Thread
  || (not (Domains.staff team))
     && begin
       wake_when_full team cell;
       true
     end

(* In a pool of one, where another thread has the place, or the domain has another worker. That may
   wait for the caller, and so never leave: then only another domain can take the place. Nobody tells
   when there is room for one, so the caller looks now and then. *)
let rec block_in_turn caller team cell parker =
  if not (Ivar.is_full cell) then begin
    let is_beside = Worker.of_domain () != Worker.nobody in
    if is_beside && not (Domains.serve team) then Thread.delay slice
    else if
      is_beside || not (is_lent caller team cell && lend team ~until:(fun () -> Ivar.is_full cell))
    then Host.park caller parker;
    block_in_turn caller team cell parker
  end

(* Leaves nothing in [cell] when it raises: a fiber may wait, and be cancelled, often. *)
let block caller team cell =
  let seat = Ivar.seat () in
  let wait () =
    Team.wake_chosen team;
    if Array.length team.members > 1 then begin
      let waiter = Waiter.of_thread () in
      Ivar.sit cell seat (fun () -> ignore (Waiter.wake waiter : bool));
      Task.block caller waiter
    end
    else begin
      if caller = Thread then wake_when_full team cell;
      Claimants.among (fun parker ->
          Ivar.sit cell seat (fun () -> Parker.wake parker);
          block_in_turn caller team cell parker)
    end
  in
  Critical.or_undo ~undo:(fun () -> Ivar.leave cell seat) wait

let waiting f = Hooks.wait None Hooks.aside f

let wait_as caller team cell =
  let wait () =
    if not (is_lent caller team cell) then block caller team cell
    else begin
      wake_when_full team cell;
      if not (lend team ~until:(fun () -> Ivar.is_full cell)) then block caller team cell
    end
  in
  Task.check_may_block ();
  waiting wait

(* Waits, outside any task, until [cell] is full. *)
let wait team cell = wait_as (Host.caller ()) team cell

(* Whoever is lent begins with [job]: to have another worker begin would cost its wake-up. It is
   counted and in the worker's hand, or neither. *)
let[@poll error] begin_with w (Job.Job job as j) is_in =
  if Admission.admit w.team then begin
    is_in := true;
    if Job.claim job then Worker.pick_up w j
  end

let run_for caller team job cell is_in =
  let w = team.members.(0) in
  let first () =
    Team.follow_caller team;
    begin_with w job is_in;
    if !is_in then begin
      Domains.provide team;
      Scheduler.run_job w;
      if not (Ivar.is_full cell) then wake_when_full team cell
    end
  in
  let until () = Ivar.is_full cell || not !is_in in
  if not (is_lent caller team cell && lend team ~first ~until) then begin
    let put job =
      Inbox.add team.inbox job;
      is_in := true
    in
    if Admission.start_outside team put job then begin
      Domains.provide team;
      block caller team cell
    end
  end

(* Runs [job], outside any task, and waits until [cell] is full, which it fills; [false] if [team] is
   closed. When a signal's handler raises in the scheduler's code, or the calling fiber is cancelled,
   the work is cancelled, and waited for; unless another handler raises meanwhile. Then the fiber
   cannot suspend any more. A stack that is full does not end the wait. *)
let run team job cell ~cancel =
  Critical.reserve_stack ();
  let is_in = ref false and caller = Host.caller () in
  match waiting (fun () -> run_for caller team job cell is_in) with
  | () -> !is_in
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      if !is_in then begin
        Critical.with_room Critical.finish_with cancel exn;
        Critical.with_room (wait_as Thread) team cell
      end;
      Printexc.raise_with_backtrace exn backtrace
