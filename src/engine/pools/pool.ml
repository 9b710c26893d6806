type t = Worker.team

let name (p : t) = p.name
let size (p : t) = Array.length p.members
let begin_close (p : t) = ignore (Atomic.compare_and_set p.phase Open Closing : bool)

(* Of a pool that nobody has got: it ends by itself. *)
let abandon p =
  begin_close p;
  Team.try_stop p

(* The domains come one after the other. The workers that run have seen the longer array, if at all;
   those that it has more of never get work. *)
let fill (team : t) wanted =
  team.members <- Array.init wanted (Worker.create team);
  Crowd.begin_with team wanted;
  let at_first = Int.min wanted team.active in
  if wanted > 1 then Signals.look_afresh ();
  let size = Domains.open_with team at_first in
  if size < at_first then begin
    team.members <- Array.sub team.members 0 size;
    Crowd.begin_with team size
  end;
  Events.tell Events.pool_open (Array.length team.members);
  !Hooks.installed.pool_open team

let check_positive caller name n =
  if Option.fold ~none:false ~some:(fun n -> n < 1) n then
    invalid_arg (Printf.sprintf "Drover.%s: %s < 1" caller name)

let counter = Atomic.make 1

let create_for caller ?name ?domains ?minor_heap_words ?adaptive () =
  Section.reserve_stack_for 2;
  check_positive caller "domains" domains;
  check_positive caller "minor_heap_words" minor_heap_words;
  let name =
    match name with
    | Some name -> name
    | None -> "pool-" ^ string_of_int (Atomic.fetch_and_add counter 1)
  and wanted =
    match (!Hooks.installed.pool_size, domains) with
    | Some n, _ | None, Some n -> n
    | None, None -> Processors.default ()
  in
  let wanted = Int.min wanted (Int.min Worker.most Processors.most_domains) in
  let adaptive =
    wanted > 1
    && (match adaptive with Some adaptive -> adaptive | None -> Processors.adaptive ())
    && !Hooks.installed.shortcuts
    && Option.is_some (Processors.time_file ())
  in
  let mask = Signals.program_mask () in
  let team = Worker.create_team ~name ~size:wanted ~mask ~adaptive ~minor_heap_words in
  match fill team wanted with () -> team | exception exn -> Failure.raise_after abandon team exn

let create ?name ?domains ?minor_heap_words ?adaptive () =
  create_for "Pool.create" ?name ?domains ?minor_heap_words ?adaptive ()

let current () = Option.map (fun (w : Worker.t) -> w.team) (Worker.mine ())
let is_inside p = match current () with Some team -> team == p | None -> false
let refuse caller (p : t) = invalid_arg (Printf.sprintf "%s: %s is closed" caller p.name)

(* A task of another pool is not lent, so [p] may need a domain of its own; if there is no room for
   one, the task does the work itself. *)
let run p f =
  Section.reserve_stack ();
  let value = function Some value -> value | None -> refuse "Drover.Pool.run" p in
  match Worker.mine () with
  | None -> value (Promise.run_outside p (!Hooks.installed.in_place f))
  | Some w when w.team == p || not (Domains.ensure_worker p) ->
      Point.pass_on w;
      f ()
  | Some w -> value (Promise.run_beside p w.context (!Hooks.installed.in_place f))

(* Tasks that go their own way, started by one of the same pool, or not; [None] if [p] is closed. *)

let start_outside p f =
  Section.reserve_stack ();
  let context = Task.started_here (Task.context ()) in
  Failure.finally
    (fun () -> Shared.insist Domains.see_to p)
    (fun () -> Promise.start_apart p context f)

(* As [async] below, in a given pool. *)
let async_in p f =
  match Worker.mine () with
  | Some w when w.team == p -> Promise.start_inside w f
  | Some _ | None -> (
      match start_outside p f with Some promise -> promise | None -> refuse "Drover.Pool.async" p)

let staff (p : t) =
  Section.reserve_stack ();
  if Atomic.get p.phase <> Open then refuse "Drover.Pool.staff" p;
  if not (Domains.staff p) then
    let why = Option.value !Hooks.installed.alone ~default:"and there is room for no other" in
    failwith (Printf.sprintf "Drover.Pool.staff: %s has no domain, %s" p.name why)

let closing = "waits for the end of a pool"

(* For as long as tasks are left. *)
let drain (p : t) =
  Team.try_stop p;
  if not (Team.is_stopped p) then
    if Option.is_some (Worker.mine ()) then begin
      Domains.see_to p;
      Wait.until_full closing p.stopped
    end
    else Domains.wait closing p p.stopped

(* Every closer does the same. *)
let finish_close (p : t) =
  List.iter Domain.join (Atomic.get p.domains);
  Atomic.set p.domains [];
  Signals.take_over_finalisers ();
  Events.tell Events.pool_close (size p);
  !Hooks.installed.pool_close p;
  Failure.report_all p.unseen

let close (p : t) =
  Domains.reserve_stack 3;
  if is_inside p then
    invalid_arg
      ("Drover.Pool.close: called from a task of " ^ p.name ^ ", which cannot end before itself");
  begin_close p;
  drain p;
  finish_close p

(* Also for a task that is cancelled, and for a fiber whose host has cancelled it, which can only block its
   thread; a signal's handler may have raised, too. *)
let close_in_any_case p =
  let close_now p =
    abandon p;
    Domains.see_to p;
    Wait.in_any_case closing (fun waiter ->
        Ivar.on_fill p.stopped (fun () -> ignore (Waiter.wake waiter : bool)));
    finish_close p
  in
  try Extent.protect (fun () -> close p)
  with exn when not (is_inside p) -> Failure.raise_after close_now p exn

(* The default pool *)

(* At exit the program's own code is over: the tasks that it has started are waited for as long as
   some task ends or starts every second, and those that they start in turn for a second more. A
   task that waits for what never comes, that never ends, or that starts others for ever, does not
   keep the program. *)
let close_at_exit (p : t) =
  let patience = 1.
  and pause =
    0.001
    (* seconds *)
  in
  let started () = Team.sum p (fun w -> w.started) + Atomic.get p.submitted in
  let ended () = Team.sum p (fun w -> w.ended) in
  let at_exit = started () in
  let rec wait waited before =
    Team.try_stop p;
    if Team.is_stopped p then finish_close p
    else if waited < patience then begin
      Thread.delay pause;
      let now = started () + ended () in
      let goes_on = now > before && ended () < at_exit in
      wait (if goes_on then 0. else waited +. pause) now
    end
  in
  if Option.is_none (Worker.mine ()) && Atomic.compare_and_set p.phase Open Closing then
    if Option.is_none !Hooks.installed.alone then begin
      Domains.see_to p;
      wait 0. 0
    end
    else begin
      drain p;
      finish_close p
    end

let default_pool : t option Atomic.t = Atomic.make None

(* Without a lock: a finaliser may have interrupted the making of one, and want it, too. The one that
   comes too late is not used. *)
let rec default () =
  match Atomic.get default_pool with
  | Some p when Atomic.get p.phase = Open -> p
  | before ->
      let p = create ~name:"default" () in
      if not (Atomic.compare_and_set default_pool before (Some p)) then abandon p
      else if Option.is_none before then
        at_exit (fun () -> Option.iter close_at_exit (Atomic.get default_pool));
      default ()

(* The ambient pool: that of the calling task, or the default one. *)
let ambient () = match current () with Some p -> p | None -> default ()

(* Runs [f] in a task of the ambient pool. *)
let inside f =
  match Worker.mine () with
  | Some w ->
      Point.pass_on w;
      f ()
  | None -> run (default ()) f

let rec async f =
  match Worker.mine () with
  | Some w -> Promise.start_inside w f
  | None -> (
      match start_outside (default ()) f with
      | Some promise -> promise
      | None -> async f (* the default pool was closed in between: the next is a new one *))

(* The pool is closed, whatever comes once it is made. *)
let with_new create f =
  let p = ref Worker.nobody.team in
  let close () = if !p != Worker.nobody.team then close_in_any_case !p
  and run () =
    p := create ();
    f !p
  in
  Domains.reserve_stack 4;
  Section.finally close run

let run_in_new ?domains f = with_new (fun () -> create_for "run" ?domains ()) (fun p -> run p f)
