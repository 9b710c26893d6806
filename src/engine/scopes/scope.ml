(* Scope.

   The body and the tasks are counted. When all have ended, the daemons are cancelled, and when they and what
   they start then have ended too the scope does. The first failure cancels the scope's token, and with it
   all that runs in it.

   Many scopes have no task, as a time limit; they cost little: the token enters the list of those below
   the caller's when there is a task that it may have to cancel. Until then a cancellation reaches the body
   as code that lies in the caller's. *)

(* Why daemons are cancelled. *)
exception Over

type aside = { context : Context.t; group : Promise.group; mutable is_over : bool }

(* The context and the group of the daemons.

   None_yet --the first daemon--> Aside

   None_yet --the tasks have ended--> Never

   So a daemon that starts when the tasks end is one of the scope, or is refused. *)
type daemons = None_yet | Aside of aside | Never

type t = {
  team : Worker.team;
  context : Context.t; (* of its body and its tasks *)
  mutable group : Promise.group; (* its tasks and its body; written once, before anybody sees it *)
  mutable is_listed : bool; (* its token, below the caller's *)
  mutable body_has_ended : bool;
  mutable latest : Job.t; (* that its body has started: a guess *)
  mutable daemons : daemons; [@atomic]
  mutable failures : Failure.t list; [@atomic] (* latest first *)
}

let[@inline] failures s = Atomic.Loc.get [%atomic.loc s.failures]

let rec add_failure s (failure : Failure.t) =
  failure.seen := true;
  let before = failures s in
  (* The body may pass on what it got from a task. *)
  let is_known = List.exists (fun (f : Failure.t) -> f.exn == failure.exn) before
  (* More are not carried by the first. *)
  and are_enough = List.compare_length_with before Failure.latest > 0 in
  let after = Error_group.with_failure failure before in
  if not (is_known || are_enough || Atomic.Loc.compare_and_set [%atomic.loc s.failures] before after)
  then add_failure s failure

(* What ran under [token] failed. A cancellation is the consequence of something else. *)
let fail s token (failure : Failure.t) =
  match failure.exn with
  | Token.Cancelled _ when Token.is_cancelled token -> failure.seen := true
  | exn ->
      add_failure s failure;
      Token.cancel s.context.token (Error_group.reason exn)

let group_of s = Promise.group (fun _ token -> fail s token)
let is_over { Promise.left; _ } = Atomic.get left = 0

let create (w : Worker.t) =
  let s =
    {
      team = w.team;
      context = { w.context with token = Token.task w.context.token };
      group = Promise.awaited;
      is_listed = false;
      body_has_ended = false;
      latest = Job.none;
      daemons = None_yet;
      failures = [];
    }
  in
  s.group <- group_of s;
  s

let cancel s exn =
  let cancel () =
    if not (Token.is_cancelled s.context.token || is_over s.group) then
      let failure = { Failure.exn; backtrace = Printexc.get_callstack 0; seen = ref true } in
      fail s s.context.token failure
  in
  Section.run cancel ()

(* Two that do so at once enter the token twice, which does no harm. *)
let list s =
  if not s.is_listed then begin
    ignore (Token.start s.context.token : bool);
    s.is_listed <- true
  end

let[@inline] daemons s = Atomic.Loc.get [%atomic.loc s.daemons]

let[@inline] step_daemons s after =
  ignore (Atomic.Loc.compare_and_set [%atomic.loc s.daemons] None_yet after : bool)

let make_aside s =
  match daemons s with
  | Aside _ | Never -> ()
  | None_yet ->
      list s;
      let token = Token.task s.context.token in
      ignore (Token.start token : bool);
      step_daemons s
        (Aside { context = { s.context with token }; group = group_of s; is_over = false })

(* Whether it had not before. *)
let[@poll error] end_body s =
  (not s.body_has_ended)
  && begin
    s.body_has_ended <- true;
    Promise.end_owner s.group;
    true
  end

let[@poll error] end_daemons aside =
  if not aside.is_over then begin
    aside.is_over <- true;
    Promise.end_owner aside.group
  end

let await (group : Promise.group) ~cancel =
  if not (is_over group) then
    Wait.until_ended "waits for the tasks of a scope" (Ivar.on_fill group.ended) ~cancel

(* The body has ended. What interrupts the caller, such as a fork that failed, need not be above the scope's
   token. *)
let join s =
  let cancel = Token.cancel s.context.token in
  if end_body s && not (is_over s.group) then
    ignore (Task.try_to_run (Worker.here ()) s.latest ~is_waited_for:true : bool);
  await s.group ~cancel;
  Hooks.gathered s.group.ended;
  step_daemons s Never;
  (match daemons s with
  | None_yet | Never -> ()
  | Aside ({ context; group; _ } as aside) ->
      Token.cancel context.token Over;
      end_daemons aside;
      await group ~cancel;
      Hooks.gathered group.ended;
      Token.finish context.token);
  Token.finish s.context.token

(* What a signal's handler raises meanwhile is one failure more. No safepoint lies at the start of these, as
   in [Shared.insist]. *)

let rec fail_despite s failure =
  try fail s s.context.token failure
  with exn ->
    let late = Failure.caught exn in
    fail_despite s failure;
    fail_despite s late;
    ()

let rec join_despite s =
  try join s
  with exn ->
    fail_despite s (Failure.caught exn);
    join_despite s;
    ()

let raise_failures s =
  match List.rev (failures s) with [] -> () | first :: others -> Failure.raise_first first others

(* From the end of the body to the end of the tasks nothing interrupts the caller, and nothing is allocated
   before the section. *)
let run_in change f =
  Pool.inside @@ fun () ->
  (* In a section, so that there is room on the stack for the end, too. *)
  let s = Section.run create (Worker.here ()) in
  let change = change s in
  (* The body is in the scope wherever it is resumed. *)
  let context_in (outer : Context.t) =
    let token = s.context.token in
    Token.surround ~outer:outer.token token;
    change { outer with token }
  in
  match Extent.within context_in (fun () -> f s) with
  | value ->
      Section.run_reserved join_despite s;
      raise_failures s;
      Task.poll ();
      value
  | exception exn ->
      let is_outermost = Section.enter () in
      let failure = Failure.caught exn in
      fail_despite s failure;
      join_despite s;
      Section.exit is_outermost;
      raise_failures s;
      Failure.raise failure

let as_it_is (_ : t) = Fun.id
let run f = run_in as_it_is f

(* A task of the scope, or, when those have ended, a daemon: what daemons start then is for nobody but
   them. [None] if the scope has ended, or its pool is closed. *)
let rec start ?finally s context (group : Promise.group) f =
  let promise = Promise.below ?finally s.team (Task.started_here context) group f in
  (* Whether the caller is the body, and not a task, a fork or a part of a loop. *)
  let is_own = group == s.group && (Task.context ()).token == s.context.token in
  if is_own then Promise.count_own group;
  if is_own || Promise.count_up group then
    if Promise.start_counted promise group ~urgent:context.Context.urgent then begin
      if is_own then s.latest <- Promise.job promise;
      Some promise
    end
    else None
  else
    match daemons s with
    | Aside aside when aside.group != group -> start ?finally s aside.context aside.group f
    | Aside _ | None_yet | Never -> None

let started caller s = function
  | Some promise -> promise
  | None ->
      let closed = if is_over s.group then "scope has ended" else "pool is closed" in
      invalid_arg (Printf.sprintf "Drover.%s: the %s" caller closed)

(* As [Section.run], without a closure to be made. *)
let start_task ?finally caller s f =
  Section.reserve_stack ();
  let is_outermost = Section.enter () in
  match
    list s;
    start ?finally s s.context s.group f
  with
  | promise ->
      Section.exit is_outermost;
      started caller s promise
  | exception exn -> Failure.raise_after Section.exit is_outermost exn

let async s f = start_task "Scope.async" s f

let once f =
  let is_due = Atomic.make true in
  fun () -> if Atomic.exchange is_due false then f ()

(* A signal's handler may raise when the task has been started, and it or this calls [finally]; or before all. *)
let spawn_finally caller finally s f =
  let last = ref finally in
  try
    last := once finally;
    ignore (start_task ~finally:!last caller s f : unit Promise.t)
  with exn -> Failure.raise_after !last () exn

let spawn_for caller ?finally s f =
  match finally with
  | None -> ignore (start_task caller s f : unit Promise.t)
  | Some finally -> spawn_finally caller finally s f

let spawn ?finally s f = spawn_for "Scope.spawn" ?finally s f

let daemon s f =
  let start () =
    make_aside s;
    match daemons s with
    | Aside { context; group; _ } -> start s context group f
    | None_yet | Never -> None
  in
  ignore (started "Scope.daemon" s (Section.run start ()) : unit Promise.t)

let check = Point.pass

(* Why the others of a race are cancelled. *)
exception Lost

(* What they came to, in the order in which they ended. The first that [wins] has the others cancelled. A
   cancellation of the caller takes nothing from one that has won: it may have received a message. *)
let race caller fs ~wins =
  if fs = [] then invalid_arg (Printf.sprintf "Drover.%s: nothing to race" caller);
  let ended = Atomic.make [] in
  let note s outcome =
    Shared.push ended outcome;
    if wins outcome then Token.cancel s.context.token Lost
  in
  let run_one s f =
    let note = note s in
    fun () -> Section.run note (Failure.catch f)
  in
  let start s = List.iter (fun f -> spawn_for caller s (run_one s f)) fs in
  (try run start with Token.Cancelled _ when List.exists wins (Atomic.get ended) -> ());
  List.rev (Atomic.get ended)

let values outcomes = List.filter_map Result.to_option outcomes

(* The first of [values]; or all of them, as none is to be lost. *)
let result combine first others =
  match combine with None -> first | Some combine -> List.fold_left combine first others

(* A loser fails as it is cancelled; or as the others do; or as what it works on [is_over]. *)
let first ?combine ~is_over fs =
  match race "Scope.first" fs ~wins:(fun _ -> true) with
  | [] -> assert false (* one has ended, or the race has raised *)
  | winner :: _ as outcomes -> (
      let values = values (if Option.is_none combine then [ winner ] else outcomes) in
      let is_raised exn =
        values == [] && match winner with Error won -> exn == won.exn | Ok _ -> false
      in
      let report (failure : Failure.t) =
        match failure.exn with
        | Token.Cancelled _ -> ()
        | exn -> if not (is_over exn || is_raised exn) then Failure.report failure
      in
      List.iter (Result.iter_error report) outcomes;
      match values with first :: others -> result combine first others | [] -> Failure.get winner)

let any ?combine fs =
  let outcomes = race "Scope.any" fs ~wins:Result.is_ok in
  match values outcomes with
  | first :: others -> result combine first others
  | [] ->
      let failures = Error_group.create () in
      List.iter (Result.iter_error (Error_group.add failures)) outcomes;
      Error_group.fail failures

let suppressed = Failure.attached
