(* A promise may be kept for long: once it is settled, it refers to little else. Probe: promises. *)
type 'a t = {
  outcome : ('a, Failure.t) result Ivar.t;
  team : Worker.team; (* whose tasks settle it, or [no_team] *)
  parent : Token.t; (* that its task is cancelled with, or [Token.none] *)
  mutable settled_at : Hooks.mark;
  mutable job : Job.t; (* of its task, until the end of that has been counted *)
  mutable is_expected : bool; (* a failure counts as awaited, whoever waits *)
}

type 'a resolver = 'a t

let no_team = Worker.nobody.team

let[@inline] of_cell outcome team parent =
  { outcome; team; parent; settled_at = Hooks.no_mark; job = Job.none; is_expected = false }

let[@inline] make team = of_cell (Ivar.create ()) team Token.none
let of_value v = of_cell (Ivar.full (Ok v)) no_team Token.none

let create () =
  let p = make (match Worker.mine () with Some w -> w.team | None -> no_team) in
  (p, p)

let[@inline] note_settling p =
  let here = Hooks.pass () in
  if here != Hooks.no_mark then p.settled_at <- here

(* [Section.run] without a closure, as what waits in the cell may settle other promises: see [Combine]. *)
let fill p outcome =
  let is_outermost = Section.enter () in
  match
    Section.reserve_stack ();
    Ivar.fill p.outcome outcome
  with
  | is_first ->
      Section.exit is_outermost;
      is_first
  | exception exn -> Failure.raise_after Section.exit is_outermost exn

(* One that comes later leaves the first one's mark alone. *)
let try_settle p outcome =
  (not (Ivar.is_full p.outcome))
  && begin
    note_settling p;
    fill p outcome
  end

let settle caller p outcome =
  if not (try_settle p outcome) then
    invalid_arg ("Drover.Promise." ^ caller ^ ": the promise is settled already")

let failure backtrace exn =
  let backtrace = Option.value backtrace ~default:(Printexc.get_callstack 0) in
  Error { Failure.exn; backtrace; seen = ref false }

let fulfil p v = settle "fulfil" p (Ok v)
let fail p ?backtrace exn = settle "fail" p (failure backtrace exn)
let try_fulfil p v = try_settle p (Ok v)
let try_fail p ?backtrace exn = try_settle p (failure backtrace exn)

let settle_once p outcome =
  if not (Ivar.is_full p.outcome) then note_settling p;
  ignore (Ivar.fill p.outcome outcome : bool)

let is_settled p = Ivar.is_full p.outcome
let cell p = p.outcome
let team p = p.team

let peek p =
  let see { Failure.exn; backtrace; seen } =
    seen := true;
    (exn, backtrace)
  in
  Option.map (Result.map_error see) (Ivar.peek p.outcome)

let[@inline] get p outcome =
  Hooks.meet p.settled_at;
  Failure.get outcome

let awaiting = "awaits a promise"

let wait_for p =
  match Worker.mine () with
  | Some w ->
      if p.team == w.team then Fork_stack.put_next w p.job;
      Wait.until_full awaiting p.outcome
  | None when p.team != no_team -> Domains.wait awaiting p.team p.outcome
  | None -> Wait.until_full awaiting p.outcome

let[@inline] try_to_run (w : Worker.t) p =
  let token = w.context.token in
  (* Whether its task is of the scope that the caller is in. *)
  let is_waited_for = p.parent != Token.none && (token == p.parent || token.parent == p.parent) in
  p.team == w.team && Task.try_to_run w p.job ~is_waited_for

let rec settled p =
  if Ivar.is_full p.outcome then get p (Ivar.get p.outcome)
  else begin
    (match Worker.mine () with
    | Some w when try_to_run w p -> ()
    | Some _ | None -> Section.run wait_for p);
    settled p
  end

let await p =
  Point.pass ();
  settled p

(* Plain: who expects a failure then sits at the cell, so either the settler sees this when it has filled
   the cell, or the cell is found full. *)
let expect p = p.is_expected <- true
let mark p (failure : Failure.t) = if p.is_expected then failure.seen := true
let on_unawaited_failure report = Atomic.set Failure.report_to report

(* Groups *)

(* The owner of a group counts what it starts itself in a plain field, [own], so that each of these tasks takes but
   one step of [left], at its end. Until the owner ends that is above what they can take from it; then it becomes the
   tasks that are left. Others count one up before they start it. Kernel: scope (of the simulated programs). *)
type group = {
  failed : Worker.team -> Token.t -> Failure.t -> unit;
  left : int Atomic.t;
  mutable own : int;
  ended : unit Ivar.t;
}

let owner = 1 lsl 40
let group failed = { failed; left = Atomic.make owner; own = 0; ended = Ivar.create () }

(* It is not counted. *)
let awaited = group (fun _ _ _ -> ())

(* Nobody may get to know of the failure of a task that goes its own way: then it is reported. *)
let apart = { awaited with failed = (fun team _ failure -> Failure.note team.unseen failure) }

let rec count_up group =
  let left = Atomic.get group.left in
  left > 0 && (Atomic.compare_and_set group.left left (left + 1) || count_up group)

let[@inline] count_down group =
  if group.left != awaited.left then ignore (Atomic.fetch_and_add group.left (-1) : int)

let[@inline] look group = if Atomic.get group.left = 0 then ignore (Ivar.fill group.ended () : bool)
let[@inline] count_own group = group.own <- group.own + 1
let[@inline] end_owner group = ignore (Atomic.fetch_and_add group.left (group.own - owner) : int)

let uncount group =
  count_down group;
  Shared.insist look group

(* What a task does from its start to its end. One that is cancelled before it starts does not call
   [f]. *)

(* Once, together: whatever a signal's handler interrupts, a task ends once. *)
let[@poll error] count_end (w : Worker.t) p group =
  if p.job != Job.none then begin
    p.job <- Job.none;
    w.ended <- w.ended + 1;
    count_down group
  end

let conclude p (context : Context.t) group outcome =
  let outcome = Job.let_go context.token outcome in
  note_settling p;
  if group.left != awaited.left then Hooks.ended group.ended p.settled_at;
  ignore (Ivar.fill p.outcome outcome : bool);
  (match outcome with
  | Ok _ -> ()
  | Error failure ->
      mark p failure;
      group.failed p.team context.token failure);
  Token.finish context.token;
  count_end (Worker.here ()) p group;
  look group

(* [work] is the first frame of a fresh fiber, whose stack is small: were it to grow, that would cost
   about as much as all the rest. So what happens seldom is apart, and few values are kept meanwhile.
   Probe: promises. *)

let[@inline never] refuse (context : Context.t) =
  raise (Token.Cancelled (Token.reason context.token))

let[@inline] catch (context : Context.t) f =
  try
    if Token.is_interrupted context.token then refuse context;
    Section.begin_user_code (Worker.here ());
    let v = f () in
    Section.end_user_code (Worker.here ());
    Ok v
  with exn ->
    Section.end_user_code (Worker.here ());
    Failure.error exn

(* It needs no more room than [work], whose frame it replaces. As [Shared.insist], without a closure, for
   which a signal's handler might raise. *)
let[@inline never] rec finish p (context : Context.t) group outcome =
  match conclude p context group outcome with
  | () -> ()
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      finish p context group outcome;
      Printexc.raise_with_backtrace exn backtrace

(* [w] runs it. *)
let work w p context group f =
  Admission.begin_task w context;
  finish p context group (catch context f)

(* The context of a task is made when it starts: until then less is kept. *)

let body_apart p parent f =
  let w = Worker.here () in
  work w p (Context.independent_on w.attention parent) apart f

let start_inside (w : Worker.t) f =
  Section.reserve_stack ();
  let p = make w.team and parent = Task.started_here w.context in
  p.job <- Admission.job (fun () -> body_apart p parent f);
  Admission.start_inside w ~urgent:parent.urgent p.job;
  p

let start_apart team (parent : Context.t) f =
  let p = make team in
  p.job <- Admission.job (fun () -> body_apart p parent f);
  if Admission.start team ~urgent:parent.urgent p.job then Some p else None

(* Whether its team is open to the caller. It is counted and there, or neither. *)
let start_counted p group ~urgent =
  match Admission.put p.team ~urgent p.job with
  | Nowhere ->
      uncount group;
      false
  | added ->
      Team.announce p.team added;
      true
  | exception exn -> Failure.raise_after uncount group exn

(* The outcome of [f], and then of [finally]. *)
let with_late outcome late =
  let earlier = Result.fold outcome ~ok:(fun _ -> []) ~error:(fun failure -> [ failure ]) in
  match List.rev (Error_group.with_failure late earlier) with
  | first :: others -> Failure.catch (fun () -> Failure.raise_first first others)
  | [] -> assert false (* one was added *)

(* [finally] is called in any case, whether [f] began or not, and wherever a signal's handler raises: so
   all closures are there before the task begins. *)
let work_finally w p context group f ~finally =
  let clean_up () = Failure.get (Extent.protect (fun () -> Task.catch finally)) in
  let clean_up_in_any_case () = Shared.insist clean_up () in
  let run () =
    let outcome = catch context f in
    match Failure.catch clean_up_in_any_case with
    | Ok () -> outcome
    | Error late -> with_late outcome late
  in
  Admission.begin_task w context;
  finish p context group (Result.join (Failure.catch run))

let below ?finally team (parent : Context.t) group f =
  let p = of_cell (Ivar.create ()) team parent.token in
  p.job <-
    Admission.job
      (match finally with
      | None ->
          fun () ->
            let w = Worker.here () in
            work w p (Context.below parent (Worker.attention_in w parent)) group f
      | Some finally ->
          fun () ->
            let w = Worker.here () in
            work_finally w p (Context.below parent (Worker.attention_in w parent)) group f ~finally);
  p

let job p = p.job

(* Both run [f] as a task of [team], and wait for it in any case; [None] if [team] is closed. The
   caller is a task of another team, or none. *)

let run_beside team (parent : Context.t) f =
  let token = Token.task parent.token and p = make team and is_in = ref false in
  let context = { parent with token } in
  p.job <- Admission.job (fun () -> work (Worker.here ()) p context awaited f);
  let put () =
    let added = Admission.put team ~urgent:parent.urgent p.job in
    is_in := added <> Nowhere;
    Team.announce team added
  and see_to () = if !is_in then Shared.insist Domains.see_to team in
  let start () =
    Failure.finally see_to put;
    !is_in
  in
  let run cancel =
    Wait.from_start_to_end Domains.running ~has_begun:is_in start (Ivar.on_fill p.outcome) ~cancel
  in
  Section.run run (Token.cancel token);
  if !is_in then Some (get p (Ivar.get p.outcome)) else None

let run_outside team f =
  Wait.check_may_block ();
  let p = make team and context = Task.started_here Context.(independent none) in
  p.job <- Admission.job (fun () -> work (Worker.here ()) p context awaited f);
  if Domains.run team p.job p.outcome ~cancel:(Token.cancel context.token) then
    Some (get p (Ivar.get p.outcome))
  else None
