(* Poller.

   What is due is served by
   - the keeper: one of the workers that have nothing to do. It is parked until the next timer is
     due, or a descriptor ready, rather than until it is woken; so it is not late;
   - workers that compute, at minor collections (see [Ticker]); they take turns to look at descriptors;
   - the thread, in any case. A domain changes its threads twenty times a second, so it may be that late,
     and a little more;
   - the domain of [Interrupter], while code runs that can be interrupted.

   The thread is made when something is waited for, on the domain where that is, and ends when there was
   nothing for a second. It must not keep that domain from its end: then it has a domain of its own,
   until a worker comes by and has it back. It has none from the beginning, since each minor collection
   would wait for that, although it is parked: that cost a program on two cores a fifth of its speed.

   Nowhere --start--> On a worker's domain --move--> On its own
     ^                  +--nothing to do-+             |
     +-------------------------------------------------+ *)

(* Descriptors *)

type watch = { request : Poll.request; id : int; ready : unit -> unit }

module Watches = Set.Make (struct
  type t = watch

  (* Those for one descriptor are neighbours. *)
  let compare a b =
    match compare a.request.descriptor b.request.descriptor with
    | 0 -> Int.compare a.id b.id
    | order -> order
end)

let watches = Atomic.make Watches.empty
let is_any () = not (Watches.is_empty (Atomic.get watches))
let forget w = Shared.change watches (Watches.remove w)

(* The thread that removes [w] calls, at once: a signal's handler may raise before the step, or behind the call. *)
let rec serve w =
  let before = Atomic.get watches in
  if Watches.mem w before then
    if Atomic.compare_and_set watches before (Watches.remove w before) then Shared.insist w.ready ()
    else serve w

(* [poll] is to wait for what it is given. *)
let serve_by poll =
  let all = Array.of_list (Watches.elements (Atomic.get watches)) in
  let serve w = if w.request.state <> Waiting then serve w in
  poll (Array.map (fun w -> w.request) all);
  Array.iter serve all

let park_for_watches bell ~until = serve_by (fun requests -> Bell.park ~requests bell ~until)
let is_waited_for () = is_any () || Timers.next () < infinity

(* The thread *)

(* While descriptors are waited for, how often the thread looks for new ones, and whether there is a
   keeper; so nobody has to tell it. *)
let watch_period = 0.05 (* seconds *)

(* Others have a hundredth of a second to serve a timer before it does. While code runs that can be
   interrupted, it wakes up before it is too late to have another domain serve it in time. *)
let thread =
  let due ~now time =
    let early = time -. Interrupter.lead in
    if Interrupter.is_in_use () && early > now then early else time +. 0.01
  in
  Timers.server ~due

(* Where it is. [is_left] is plain: the domain that sets it rings the bell until the thread has gone. *)
type home = { process : int; domain : Domain.id option; mutable is_left : bool }

let nowhere = { process = 0; domain = None; is_left = false }
let home = Atomic.make nowhere
let is_kept = Atomic.make false

let rec serve h ~since =
  let now = System.now () in
  Timers.serve now;
  Interrupter.expect ~now (Timers.next ());
  let waits = is_waited_for () in
  if Atomic.get home != h then Timers.ring thread (* which may have been for the other *)
  else if h.is_left || ((not waits) && now -. since >= 1.) then begin
    Timers.retire thread;
    Atomic.set home nowhere;
    (* Pairs with the look at [home] in [expect_at]. *)
    if is_waited_for () && (not h.is_left) && Atomic.compare_and_set home nowhere h then
      serve h ~since:now
  end
  else begin
    let watches = is_any () in
    let until = if watches then now +. watch_period else if waits then infinity else now +. 1. in
    Timers.park thread ~until (fun bell ~until ->
        if watches && not (Atomic.get is_kept) then park_for_watches bell ~until
        else Bell.park bell ~until);
    serve h ~since:(if waits then now else since)
  end

(* [spawn live] has it live in [domain], unless it does not live at [before] any more. *)
let start_in domain spawn ~before =
  let h = { process = Unix.getpid (); domain; is_left = false } in
  let live () =
    try serve h ~since:(System.now ())
    with exn ->
      Failure.report (Failure.caught exn);
      Atomic.set home nowhere
  in
  Signals.with_all_blocked (fun () ->
      if Atomic.compare_and_set home before h && not (spawn live) then Atomic.set home nowhere)

(* A domain does not end before its threads. *)
let moves_at_end =
  let move () =
    let h = Atomic.get home in
    if h.domain = Some (Domain.self ()) then begin
      h.is_left <- true;
      while Atomic.get home == h do
        Timers.ring thread;
        Thread.delay 1e-4
      done;
      if is_waited_for () then start_in None (fun live -> Signals.spawn_domain live) ~before:nowhere
    end
  in
  Domain.DLS.new_key (fun () -> if not (Domain.is_main_domain ()) then Domain.at_exit move)

(* Makes it, if something is waited for. A child of [Unix.fork] has no such thread; and one on a domain
   of its own is replaced. Where no thread can be made, the workers serve what is due, and try again. *)
let ensure () =
  if is_waited_for () then begin
    let h = Atomic.get home in
    if Option.is_none h.domain || h.process <> Unix.getpid () then begin
      Domain.DLS.get moves_at_end;
      start_in (Some (Domain.self ())) Signals.spawn_thread ~before:h;
      Timers.ring thread
    end
  end

(* The thread may just have ended, for want of something to wait for. *)
let has_thread () =
  ensure ();
  Atomic.get home != nowhere || not (is_waited_for ())

(* The keeper *)

let keeper = Timers.server ~due:(fun ~now:_ time -> time)

(* Until the worker is woken, or ([false]) nothing is waited for or the time has come. *)
let rec keep parker ~until =
  Timers.serve (System.now ());
  if System.now () >= until || (until = infinity && not (is_waited_for ())) then false
  else begin
    let is_woken = ref false in
    Timers.park keeper ~until (fun bell ~until ->
        is_woken :=
          Parker.park_by parker
            ~unblock:(fun () -> Bell.ring bell)
            (fun () -> park_for_watches bell ~until));
    !is_woken || keep parker ~until
  end

let try_to_keep () = Atomic.compare_and_set is_kept false true

let stop_keeping () =
  Timers.retire keeper;
  Atomic.set is_kept false

let park parker =
  Signals.refresh ();
  ensure ();
  let keep () = keep parker ~until:infinity in
  let is_woken = is_waited_for () && try_to_keep () && Failure.finally stop_keeping keep in
  if not is_woken then Parker.park parker

(* Each look asks the system about all descriptors, which takes a tenth of a microsecond for each. So who
   comes first when the next turn has come has it, and looks take a twentieth of the time at most. *)
let next_turn = Atomic.make 0

let has_turn now =
  let pause = Int.max 1000 (2 * Watches.cardinal (Atomic.get watches)) in
  Shared.has_turn next_turn ~pause now

let look () =
  if is_any () || Timers.is_any () then begin
    let now = System.now () in
    ensure ();
    Timers.pass now;
    if is_any () && (not (Atomic.get is_kept)) && has_turn now then
      serve_by (fun requests -> Poll.wait requests 0.)
  end

(* To wait *)

let expect_at ~now time =
  ignore (Timers.expect keeper ~now time : bool);
  Interrupter.expect ~now time;
  if Timers.expect thread ~now time || Atomic.get home == nowhere then ensure ()

let expect () =
  let next = Timers.next () in
  if next < infinity then expect_at ~now:(System.now ()) next

let after seconds call =
  let now = System.now () in
  let timer = Timers.add (now +. seconds) call in
  expect_at ~now (now +. seconds);
  timer

let watch =
  let ids = Atomic.make 0 in
  fun request ready ->
    let w = { request; id = Atomic.fetch_and_add ids 1; ready } in
    Shared.change watches (Watches.add w);
    if Atomic.get is_kept then Timers.ring keeper;
    let now = System.now () in
    ignore (Timers.expect thread ~now (now +. watch_period) : bool);
    ensure ();
    w
