(* Caller.

   While a caller waits, its thread can be lent to the pool as members.(0): one at a time, and one of
   each domain. A fiber of a [Host] is not lent, as that would stop the others of its domain: the pool
   gets a domain for that worker instead.

   Other callers park until their cell is full. But a pool of one may have no other thread: so its
   callers are listed in [team.callers], and are woken, too, when the one that is lent has what it waits
   for; then the next is lent. *)

open Worker

let slice = 0.01 (* seconds *)
let wake_when_full team cell = Ivar.on_fill cell (fun () -> Parker.wake team.members.(0).parker)

(* A fiber is lent if there is no other way. *)
let can_be_lent (caller : Host.caller) team cell =
  caller = Thread
  || (not (Domains.staff team))
     && begin
       wake_when_full team cell;
       true
     end

let lend ?first team ~until =
  let w = team.members.(0) in
  Worker.of_domain () == nobody
  && Domains.take w
  &&
  match Scheduler.work ?first w ~until with
  | works ->
      Domains.free w;
      works
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Domains.free w;
      Printexc.raise_with_backtrace exn backtrace

(* Where another thread is the only worker, or none can be made for lack of a domain. *)
let rec take_turns caller team cell parker =
  if not (Ivar.is_full cell) then begin
    let until () = Ivar.is_full cell in
    if not (can_be_lent caller team cell && lend team ~until) then
      if Domains.ensure_worker team then Host.park caller parker else Thread.delay slice;
    take_turns caller team cell parker
  end

let rec park caller cell parker =
  if not (Ivar.is_full cell) then begin
    Host.park caller parker;
    park caller cell parker
  end

(* Leaves nothing in [cell] when it raises: a fiber may wait, and be cancelled, often. *)
let block caller team cell =
  let parker = Parker.create () and seat = Ivar.seat () in
  let is_only_worker = Array.length team.members = 1 in
  let leave () =
    Ivar.leave cell seat;
    if is_only_worker then begin
      Shared.change team.callers (List.filter (( != ) parker));
      (* It may have been woken to be lent. *)
      Domains.see_to_rest team
    end
  in
  match
    Ivar.sit cell seat (fun () -> Parker.wake parker);
    if is_only_worker then begin
      Shared.push team.callers parker;
      if caller = Host.Thread then wake_when_full team cell;
      take_turns caller team cell parker
    end
    else park caller cell parker
  with
  | () -> Stubborn.call leave ()
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Stubborn.call leave ();
      Printexc.raise_with_backtrace exn backtrace

let waiting f = Hooks.wait None Hooks.aside f

let wait_as caller team cell =
  Task.check_may_block ();
  waiting (fun () ->
      let until () = Ivar.is_full cell in
      if caller = Host.Thread then wake_when_full team cell;
      if not (can_be_lent caller team cell && lend team ~until) then block caller team cell)

let wait team cell = wait_as (Host.caller ()) team cell

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
      ignore (Domains.ensure_worker team : bool);
      Scheduler.run_job team.members.(0);
      if not (Ivar.is_full cell) then wake_when_full team cell
    end
  and until () = Ivar.is_full cell || not !is_in in
  if not (can_be_lent caller team cell && lend team ~first ~until) then begin
    let put job =
      Inbox.add team.inbox job;
      is_in := true
    in
    if Admission.start_outside team put job then begin
      ignore (Domains.ensure_worker team : bool);
      block caller team cell
    end
  end

(* The fiber of a host that was cancelled cannot suspend any more. *)
let run team job cell ~cancel =
  let is_in = ref false and caller = Host.caller () in
  match waiting (fun () -> run_for caller team job cell is_in) with
  | () -> !is_in
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      if !is_in then begin
        cancel exn;
        wait_as Thread team cell
      end;
      Printexc.raise_with_backtrace exn backtrace
