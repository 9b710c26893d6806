(* Crowding: looks at the load of a pool, and says who works (see [Crowd]).

   A worker looks where it comes by anyway: at a collection, and where it searches. The first to
   come after a window looks for all. *)

open Worker

(* Which worker it is that stands by does not matter, as long as so many others are awake. The fields
   of others are plain: a guess. *)
let is_awake v = v.thread <> no_thread && not v.announced

let is_surplus_now w =
  let awake = ref 0 in
  for i = 0 to w.id - 1 do
    if is_awake w.team.members.(i) then incr awake
  done;
  !awake >= w.team.active

let[@inline] is_surplus w = w.id >= w.team.active && is_surplus_now w

(* For how long [w] ran, searches apart, and waited for a processor, since the last look. *)
let time_of w =
  let read (thread, place) = if thread = w.thread then Processors.read_time place else None in
  match Option.bind w.load.place read with
  | None ->
      w.load.time <- None;
      (0., 0.)
  | Some now ->
      let before = Option.value w.load.time ~default:now and rounds = w.rounds in
      let spun = float (rounds - w.load.seen_rounds) *. w.load.round in
      w.load.time <- Some now;
      w.load.seen_rounds <- rounds;
      (Float.max 0. (now.ran -. before.ran -. spun), now.waited -. before.waited)

(* A collection that finds a worker off its processor makes the others spin for about a slice of the
   operating system's. Nobody tells how long; a half, by measurement. *)
let slice_lost = 0.002 (* seconds *)

(* What a collection loses where so many wait for a processor. *)
let lost_by_collection team ~waiting =
  if Crowd.active team.crowding.crowd = 1 then 0. else slice_lost *. Float.min 1. waiting

let late_collection team = lost_by_collection team ~waiting:(Crowd.lately team.crowding.crowd)

let load_of team seconds ~collections =
  let add (all_ran, all_waited) w =
    let ran, waited = time_of w in
    (all_ran +. ran, all_waited +. waited)
  in
  let ran, waited = Array.fold_left add (0., 0.) team.members in
  let waiting = waited /. seconds in
  let lost = float collections *. lost_by_collection team ~waiting in
  { Crowd.ran = ran /. seconds; lost = lost /. seconds; waiting }

let turn_to team crowd =
  if Crowd.active crowd <> Crowd.active team.crowding.crowd then
    Events.tell Events.active (Crowd.active crowd);
  team.crowding.crowd <- crowd;
  team.active <- (if Crowd.has_fewer crowd then Crowd.active crowd else max_int);
  Array.iter (fun w -> if w.id >= team.active then w.attention ()) team.members

(* Nobody looks at the machine here, for threads that come and go, such as the last of a pool or a program
   that has just ended, are no crowd: the first window decides. Probe: setup. *)
let begin_with team members =
  let processors = if team.adaptive then Processors.available () else members in
  turn_to team (Crowd.create ~processors members)

let least_told = 1e-4 (* seconds *)

(* A window that is much too long is of a pool that had nothing to do. *)
let observe team now =
  let seconds = now -. team.crowding.observed_at in
  team.crowding.observed_at <- now;
  let collections = (Gc.quick_stat ()).minor_collections in
  let load = load_of team seconds ~collections:(collections - team.crowding.collections) in
  team.crowding.collections <- collections;
  let unserved = load.waiting *. seconds in
  if unserved > least_told then Events.tell_time Events.unserved (int_of_float (1e9 *. unserved));
  if seconds < 10. *. Crowd.window then turn_to team (Crowd.step team.crowding.crowd ~now load)

let has_place w = match w.load.place with Some (thread, _) -> thread = w.thread | None -> false

let look_at now w =
  if not (has_place w) then begin
    w.load.time <- None;
    w.load.place <- Option.map (fun place -> (w.thread, place)) (Processors.time_place ())
  end;
  let team = w.team in
  (* One of them at a time. *)
  if
    now -. team.crowding.observed_at > Crowd.window
    && Atomic.compare_and_set team.crowding.is_observed false true
  then
    Fun.protect
      (fun () -> observe team now)
      ~finally:(fun () -> Atomic.set team.crowding.is_observed false)

let look w = if w.team.adaptive then look_at (Unix.gettimeofday ()) w

(* From a search in vain. It may have lost the processor for a while: so the shortest of late. *)
let learn_round w rounds seconds =
  if rounds >= 1000 && seconds > 0. then
    w.load.round <- Float.min (seconds /. float rounds) (1.25 *. w.load.round)

(* The rounds tell for how long it searched, as no clock is read between a find and what was found.
   Kernel: wake. *)
let spinning w search =
  if not w.team.adaptive then search ()
  else begin
    let rounds = w.rounds and since = Unix.gettimeofday () in
    look_at since w;
    search ()
    || begin
      learn_round w (w.rounds - rounds) (Unix.gettimeofday () -. since);
      false
    end
  end

let pause = 0.005 (* seconds *)
let points_of_others w = Team.sum w.team (fun v -> if v == w then 0 else v.points)

(* Those that work have not come by since before its latest pause, and leave something undone. *)
let is_wanted w = w.seen_still = points_of_others w && Team.has_work w.team

(* Whether those that work come by at all, which they are asked to do: one that waits without the
   scheduler's knowing may wait for jobs that nobody takes. Until they do again there is no pause
   before each of these. *)
let stand_by w =
  if not (is_wanted w) then begin
    let before = points_of_others w in
    Array.iter (fun v -> if v != w then v.attention ()) w.team.members;
    Unix.sleepf pause;
    look w;
    w.seen_still <- before
  end;
  is_wanted w
