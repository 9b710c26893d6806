(* Watch.

   The poller's thread looks at all workers a few times a second. A task passes a scheduling point when
   it starts or goes on, and where somebody asks for attention: so the watch asks each time, and counts
   the answers. A task that gives none for [patience] says where it is at the next minor collection, on
   its own thread (see [Ticker]). *)

let period = 0.25 (* seconds *)
let patience = 4 (* looks: the time of a machine that stands still does not count *)

(* A worker, how many scheduling points it had passed when it was last looked at, and how often it
   was looked at since. *)
type sight = {
  worker : Worker.t;
  mutable points : int;
  mutable looks : int;
  mutable ignores : int; (* of these, at how many its task was cancelled *)
  mutable resists : int; (* looks at which it was to be interrupted, one after the other *)
}

(* Those of each open pool. *)
let sights : (Worker.team * sight list) list Atomic.t = Atomic.make []
let is_idle (w : Worker.t) = w.context == Context.none

(* [true] if the task of this worker is to say where it is. *)
let look_at ({ worker = w; _ } as sight) =
  sight.resists <- (if Worker.is_to_be_interrupted w then sight.resists + 1 else 0);
  if sight.resists = patience then Debug.tell_of_resistance w;
  if w.late && not (is_idle w) then begin
    (* It had a chance to say where it is, and did not. *)
    w.late <- false;
    Debug.tell_of_silence w
  end;
  if is_idle w || w.points <> sight.points then begin
    sight.points <- w.points;
    sight.looks <- 0;
    sight.ignores <- 0
  end
  else begin
    sight.looks <- sight.looks + 1;
    if Token.is_interrupted w.context.token then sight.ignores <- sight.ignores + 1
  end;
  w.attention ();
  (* If it was cancelled lately, that is told when it has had time to notice. *)
  let is_late = sight.ignores = patience || (sight.looks = patience && sight.ignores = 0) in
  w.late <- is_late;
  is_late

(* What it is late for now is the inquiry's. *)
let look sight = (not (Situation.is_asked sight.worker)) && look_at sight

(* For how many seconds [w] has passed no scheduling point, at least. *)
let silence w =
  let of_sight { worker; looks; _ } = if worker == w then Some looks else None in
  let looks = List.find_map (fun (_, all) -> List.find_map of_sight all) (Atomic.get sights) in
  float (Option.value looks ~default:0) *. period

(* Deadlocks *)

(* Nothing can run any more. *)
let is_quiet () =
  let is_idle_team ((team : Worker.team), sights) =
    List.for_all (fun sight -> is_idle sight.worker) sights && not (Team.has_work team)
  in
  List.for_all is_idle_team (Atomic.get sights)
  && Debug.is_awaited ()
  && not (Poller.is_waited_for () || Blocking.is_busy ())

(* What changes when anything happens. *)
let progress () =
  let count n ((team : Worker.team), _) =
    n + Team.sum team (fun w -> w.started) + Atomic.get team.submitted
  in
  (Debug.now (), List.fold_left count 0 (Atomic.get sights))

let tell_of_deadlock () =
  Debug.say
    ("deadlock: nothing can run any more, unless another thread intervenes.\nThese wait:"
   ^ Debug.list_waits ());
  if Debug.ends_deadlocks then begin
    (* Not [exit], which would wait for the pools. No usual program ends with this code. *)
    flush stdout;
    Unix._exit 97
  end

(* Looks again and again. [looks] counts those without progress since [before]; beyond [patience], the
   deadlock was said. *)
let rec look_after before looks =
  let look_at_all () =
    let answers = List.concat_map (fun (_, sights) -> List.map look sights) (Atomic.get sights) in
    Inquiry.look ~silence;
    if List.mem true answers then Gc.minor ();
    let ((waits, n) as now) = progress () in
    if waits != fst before || n <> snd before then look_after now 0
    else if looks > patience then look_after before looks
    else if not (is_quiet ()) then look_after now 0
    else begin
      if looks = patience then tell_of_deadlock ();
      look_after before (looks + 1)
    end
  in
  ignore (Poller.after period look_at_all : Timers.t)

(* The hooks *)

let is_on = Atomic.make false
let ensure_looks () = if not (Atomic.exchange is_on true) then look_after (progress ()) 0

(* The main program may wait before there is a pool. *)
let wait aim wanted suspend x =
  ensure_looks ();
  Debug.wait aim wanted suspend x

let add (team : Worker.team) =
  let see worker = { worker; points = -1; looks = 0; ignores = 0; resists = 0 } in
  Shared.push sights (team, List.map see (Array.to_list team.members));
  ensure_looks ()

let remove team = Shared.change sights (List.filter (fun (team', _) -> team' != team))
let loop ~combines:_ _ _ f run = Extent.within Task.started_here (fun () -> run f)

(* Tells of a call that goes on for a second after its task was cancelled. *)
let call has_ended =
  match Worker.mine () with
  | None -> ignore
  | Some w ->
      let tell = Debug.teller_of_call w in
      let look () = if not (has_ended ()) then tell () in
      fun (_ : exn) -> ignore (Poller.after 1. look : Timers.t)

let () =
  if Debug.is_on then begin
    Inquiry.on_sigquit ();
    Hooks.installed :=
      {
        !Hooks.installed with
        start = Some Debug.with_start;
        loop = Some { around = loop };
        wait = Some { wait };
        call;
        late = Debug.tell_of_delay;
        pool_open = add;
        pool_close = remove;
        shortcuts = false;
      };
    Situation.follow ()
  end
