(* Watch.

   The helper looks at all workers a few times a second. A task passes a scheduling point when it
   starts or goes on, and where somebody asks for attention: so the watch asks each time, and counts
   the answers. Where a task is that gives none for [patience], its own thread says at the next
   minor collection (see [Ticker]). *)

let period = 0.25 (* seconds *)
let patience = 4 (* looks: the time of a machine that stands still does not count *)

(* A worker, how many scheduling points it had passed when it was last looked at, and how often it
   was looked at since. *)
type sight = {
  worker : Worker.t;
  mutable points : int;
  mutable looks : int;
  mutable resists : int; (* looks at which it was to be interrupted, one after the other *)
}

let see worker = { worker; points = -1; looks = 0; resists = 0 }
let sights : (Worker.team * sight list) list Atomic.t = Atomic.make []
let is_idle (w : Worker.t) = w.context == Context.none

(* It had a chance to say where it is, and did not. *)
let tell_of_silence (w : Worker.t) =
  w.late <- false;
  Debug.tell_of_silence ~pool:w.team.name ~worker:w.id ~locals:w.context.locals

let look_at_resistance sight =
  let w = sight.worker in
  sight.resists <- (if Worker.is_to_be_interrupted w then sight.resists + 1 else 0);
  if sight.resists = patience then
    Debug.tell_of_resistance ~pool:w.team.name ~worker:w.id ~locals:w.context.locals

(* [true] if the task of this worker is to say where it is. *)
let look sight =
  let w = sight.worker in
  look_at_resistance sight;
  if w.late && not (is_idle w) then tell_of_silence w;
  if is_idle w || w.points <> sight.points then begin
    sight.points <- w.points;
    sight.looks <- 0
  end
  else sight.looks <- sight.looks + 1;
  w.attention ();
  let is_late = sight.looks = patience in
  w.late <- is_late;
  is_late

(* Nothing can run any more *)

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

let same (waits, n) (waits', n') = waits == waits' && n = n'

(* Of a program that a deadlock ends; no usual program ends so. *)
let deadlock_code = 97

(* Not [exit], which would wait for the pools. *)
let end_program () =
  flush stdout;
  Unix._exit deadlock_code

let tell_of_deadlock () =
  Debug.say
    ("deadlock: nothing can run any more, unless another thread intervenes.\nThese wait:"
   ^ Debug.list_waits ());
  if Debug.ends_deadlocks then end_program ()

(* For how many looks there was no progress; beyond [patience], it is said. *)
let quiet (before, looks) =
  let now = progress () in
  if not (same now before) then (now, 0)
  else if looks > patience then (before, looks)
  else if not (is_quiet ()) then (now, 0)
  else begin
    if looks = patience then tell_of_deadlock ();
    (before, looks + 1)
  end

(* All workers are looked at, whatever comes of it. *)
let look_at_all () =
  let looks = List.concat_map (fun (_, sights) -> List.map look sights) (Atomic.get sights) in
  if List.mem true looks then Gc.minor ()

let rec start state =
  let go_on () =
    look_at_all ();
    start (quiet state)
  in
  ignore (Poller.after period go_on : Timers.t)

let is_on = Atomic.make false

let add (team : Worker.team) =
  let workers = List.map see (Array.to_list team.members) in
  Shared.push sights (team, workers);
  if not (Atomic.exchange is_on true) then start (progress (), 0)

let remove team = Shared.change sights (List.filter (fun (team', _) -> team' != team))
