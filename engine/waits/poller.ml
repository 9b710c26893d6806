(* Poller.

   Whoever comes by serves what is due. That is
   - the keeper: one of the workers that have nothing to do. It is parked until the next timer is
     due, or a descriptor ready, rather than until it is woken; so it is not late;
   - workers that compute, at each minor collection (see [Ticker]);
   - a thread, in any case (see [Poller_thread]).

   [Awaited] has what is waited for. Each of them says, in the step in which it sees what there is,
   when it wakes up; whoever adds something that is due before rings its bell. *)

open Awaited

let leave = Poller_thread.leave
let ensure = Poller_thread.ensure
let pass_on = Poller_thread.pass_on
let bring_here = Poller_thread.bring_here

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
  | Some t when Poller_thread.is_of_this_process t ->
      if to_thread < before.alarm then Bell.ring t.bell
  | Some _ | None -> Poller_thread.start ()

let add step ~kept_until ~alarm =
  let a = { before = Atomic.get state; to_keeper = kept_until; to_thread = alarm } in
  Critical.reserve_stack ();
  make_addition a step;
  Critical.finish_with tell a

let rec keep parker ~until =
  let now = Clock.now () in
  serve_timers now;
  Bell.prepare keeper_bell;
  let s = Atomic.get state in
  let kept_until = Float.min until (next_time s) in
  if now >= until || (kept_until = infinity && has_nothing s) then false
  else if Atomic.compare_and_set state s { s with kept_until } then begin
    let block () = Awaited.park keeper_bell ~until:kept_until s.watches in
    let is_woken = Parker.park_on keeper_bell parker block in
    ignore (update (fun s -> { s with kept_until = awake }) : state);
    is_woken || keep parker ~until
  end
  else keep parker ~until

let try_to_keep () = Atomic.compare_and_set is_kept false true

let stop_keeping () =
  ignore (update (fun s -> { s with kept_until = awake }) : state);
  Atomic.set is_kept false

(* The keeper is woken by the next timer, too. *)
let park parker =
  Signals.refresh ();
  ensure ();
  if (not (has_nothing (Atomic.get state))) && try_to_keep () then begin
    let is_woken = Fun.protect ~finally:stop_keeping (fun () -> keep parker ~until:infinity) in
    if not is_woken then Parker.park parker
  end
  else Parker.park parker

let look () =
  let s = Atomic.get state in
  if not (has_nothing s) then begin
    ensure ();
    Option.iter Poller_thread.take_over s.thread;
    serve_timers (Clock.now ());
    if s.watches <> [] && s.kept_until = awake then look_at s.watches
  end

(* To wait *)

let ids = Atomic.make 0

let at time call =
  let timer = (time, Atomic.fetch_and_add ids 1) in
  let step s = { s with timers = By_time.add timer call s.timers } in
  add step ~kept_until:time ~alarm:(time +. Poller_thread.slack);
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
  add step ~kept_until:awake ~alarm:(Clock.now () +. Poller_thread.watch_period)

let unwatch watch =
  ignore (update (fun s -> { s with watches = List.filter (( != ) watch) s.watches }) : state)

let is_waited_for () =
  let s = Atomic.get state in
  s.watches <> [] || next_time s < infinity
