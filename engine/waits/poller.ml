(* Poller.

   Whoever comes by serves what is due. That is
   - the keeper: one of the workers that have nothing to do. It sleeps until the next timer is due, or
     a descriptor ready, rather than until it is woken; so it is not late;
   - workers that compute, at each minor collection (see [Ticker]);
   - a thread, in any case. A domain gives its threads their turn twenty times a second, so it may
     be [slack] and that late. It is made when something is waited for, on the domain where that is,
     and ends when there was nothing for [patience], or its domain ends.

   There is no domain for that, since each minor collection would wait for it, although it sleeps:
   that cost a program on two cores a fifth of its speed.

   [Awaited] has what is waited for. The thread:

   Absent --start--> Asleep until [alarm] <--> Awake --nothing to do, or its domain ends--> Absent

   Each sleeper says, in the step in which it sees what there is, when it wakes up; whoever adds
   something that is due before rings its bell. *)

open Awaited

(* The thread *)

let slack = 0.01 (* seconds that others have to serve a timer *)
let patience = 1. (* seconds *)

(* While descriptors are waited for, how often it looks for new ones, and whether there is a keeper;
   so nobody has to tell it. *)
let watch_period = 0.05
let is_thread t s = match s.thread with Some t' -> t' == t | None -> false

let thread_alarm s now =
  if has_nothing s then now +. patience
  else
    let alarm = next_time s +. slack in
    (* Before it is too late to have another domain serve it in time. *)
    let alarm =
      if Interrupter.is_in_use () && next_time s -. now > Interrupter.lead then
        Float.min alarm (next_time s -. Interrupter.lead)
      else alarm
    in
    if s.watches = [] then alarm else Float.min alarm (now +. watch_period)

let rec serve t ~since =
  let now = Clock.now () in
  serve_timers now;
  let s = Atomic.get state in
  if is_thread t s then
    if has_nothing s && now -. since >= patience then
      begin if not (Atomic.compare_and_set state s { s with thread = None }) then serve t ~since
      end
    else begin
      let alarm = thread_alarm s now in
      let asleep = { s with alarm } in
      Interrupter.expect (next_time s);
      if Atomic.compare_and_set state s asleep then begin
        (* Pairs with [expect]. *)
        if thread_alarm s now >= alarm then
          sleep t.bell ~until:alarm (if s.kept_until = awake then s.watches else []);
        ignore (update (fun s -> if is_thread t s then { s with alarm = awake } else s) : state)
      end;
      serve t ~since:(if has_nothing s then since else now)
    end

(* Those of threads that have ended. They are not closed, lest a late ring goes elsewhere. *)
let spare_bells = Atomic.make []

let rec take_bell () =
  match Atomic.get spare_bells with
  | [] -> Bell.create ()
  | bell :: rest as bells ->
      if Atomic.compare_and_set spare_bells bells rest then bell else take_bell ()

(* A finaliser may raise here, but must not end it. *)
let rec live t () =
  match
    Bell.prepare t.bell;
    serve t ~since:(Clock.now ());
    Shared.push spare_bells t.bell
  with
  | () -> ()
  | exception exn ->
      Failure.report (Failure.caught exn);
      live t ()

let is_of_this_process t = t.process = Unix.getpid ()
let is_up s = match s.thread with Some t -> is_of_this_process t | None -> false

let create_thread () =
  { bell = take_bell (); domain = Domain.self (); process = Unix.getpid (); passes_on = false }

let take_place t =
  let take s = if is_up s then s else { s with thread = Some t; alarm = awake } in
  not (is_up (update take))

let give_up t =
  ignore (update (fun s -> if is_thread t s then { s with thread = None } else s) : state)

let dismiss t =
  give_up t;
  Bell.ring t.bell

let is_here t = t.domain = Domain.self ()
let leave () = Option.iter (fun t -> if is_here t then dismiss t) (Atomic.get state).thread

(* When a domain of the program's ends, nobody follows who could make another thread. *)
let move () =
  let run () =
    let t = create_thread () in
    if take_place t then live t ()
  in
  let spawn () = ignore (Domain.spawn run : unit Domain.t) in
  let s = Atomic.get state in
  if Option.fold ~none:false ~some:is_here s.thread then begin
    leave ();
    if not (has_nothing s) then
      try Signals.with_all_blocked spawn with Failure _ | Sys_error _ -> ()
  end

let at_end : unit Lazy.t Domain.DLS.key =
  Domain.DLS.new_key (fun () -> lazy (if not (Domain.is_main_domain ()) then Domain.at_exit move))

(* Where no thread can be made, the workers serve what is due, and try again. *)
let start () =
  let t = create_thread () in
  if take_place t then
    try
      Lazy.force (Domain.DLS.get at_end);
      Signals.with_all_blocked (fun () -> ignore (Thread.create (live t) () : Thread.t))
    with
    | Failure _ | Sys_error _ -> Critical.finish_with give_up t
    | exn -> Critical.raise_despite give_up t exn

let ensure () =
  let s = Atomic.get state in
  if not (has_nothing s || is_up s) then start ()

let bring_here () =
  Option.iter dismiss (Atomic.get state).thread;
  ensure ()

(* Plain: whoever looks later sees it. *)
let pass_on () =
  match (Atomic.get state).thread with
  | Some t when is_here t ->
      t.passes_on <- true;
      false
  | Some t -> is_of_this_process t
  | None -> false

let take_over t = if t.passes_on && not (is_here t) then bring_here ()

(* The keeper *)

let keeper_bell = Bell.create ()
let is_kept = Atomic.make false

(* Makes a step that adds something, which the keeper is to see at [kept_until] at the latest, and
   the thread at [alarm]. *)
type addition = { mutable before : state; to_keeper : float; to_thread : float }

(* No safepoint follows the step. *)
let rec make_addition a step =
  let before = Atomic.get state in
  a.before <- before;
  let after =
    {
      (step before) with
      kept_until = Float.min before.kept_until a.to_keeper;
      alarm = Float.min before.alarm a.to_thread;
    }
  in
  if not (Atomic.compare_and_set state before after) then make_addition a step

let tell { before; to_keeper; to_thread } =
  Interrupter.expect to_keeper;
  if to_keeper < before.kept_until then Bell.ring keeper_bell;
  match before.thread with
  | Some t when is_of_this_process t -> if to_thread < before.alarm then Bell.ring t.bell
  | Some _ | None -> start ()

let add step ~kept_until ~alarm =
  let a = { before = Atomic.get state; to_keeper = kept_until; to_thread = alarm } in
  Critical.reserve_stack ();
  make_addition a step;
  Critical.finish_with tell a

let rec keep parker =
  serve_timers (Clock.now ());
  Bell.prepare keeper_bell;
  let s = Atomic.get state in
  let kept_until = next_time s in
  if has_nothing s then false
  else if Atomic.compare_and_set state s { s with kept_until } then begin
    let sleep () = sleep keeper_bell ~until:kept_until s.watches in
    let is_woken = Parker.rest_on keeper_bell parker sleep in
    ignore (update (fun s -> { s with kept_until = awake }) : state);
    is_woken || keep parker
  end
  else keep parker

(* May be called again: the last step ends it. *)
let stop_keeping () =
  ignore (update (fun s -> { s with kept_until = awake }) : state);
  Atomic.set is_kept false

(* Until the worker is woken, or ([false]) nothing is waited for. *)
let keep_for_now parker =
  match keep parker with
  | is_woken ->
      Atomic.set is_kept false;
      is_woken
  | exception exn -> Critical.raise_after stop_keeping () exn

let park parker =
  Signals.refresh ();
  ensure ();
  if has_nothing (Atomic.get state) then Parker.wait parker
  else
    match Atomic.compare_and_set is_kept false true with
    | true -> if not (keep_for_now parker) then Parker.wait parker
    | false -> Parker.wait parker

let look () =
  let s = Atomic.get state in
  if not (has_nothing s) then begin
    ensure ();
    Option.iter take_over s.thread;
    serve_timers (Clock.now ());
    if s.watches <> [] && s.kept_until = awake then look_at s.watches
  end

(* To wait *)

let ids = Atomic.make 0

let at time call =
  let timer = (time, Atomic.fetch_and_add ids 1) in
  let step s = { s with timers = By_time.add timer call s.timers } in
  add step ~kept_until:time ~alarm:(time +. slack);
  timer

let expect () =
  let s = Atomic.get state in
  let time = next_time s in
  Interrupter.expect time;
  match s.thread with
  | Some t when time < infinity && time -. Interrupter.lead < s.alarm -> Bell.ring t.bell
  | Some _ | None -> ()

let cancel timer =
  ignore (update (fun s -> { s with timers = By_time.remove timer s.timers }) : state)

let watch watch =
  let step s = { s with watches = watch :: s.watches } in
  add step ~kept_until:awake ~alarm:(Clock.now () +. watch_period)

let unwatch watch =
  ignore (update (fun s -> { s with watches = List.filter (( != ) watch) s.watches }) : state)

let is_waited_for () =
  let s = Atomic.get state in
  s.watches <> [] || next_time s < infinity
