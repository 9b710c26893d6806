(* The poller's thread.

   A domain gives its threads their turn twenty times a second, so it may be [slack] and that late. It
   is made when something is waited for, on the domain where that is, and ends when there was nothing
   for [patience], or its domain ends.

   Absent --start--> Parked until [alarm] <--> Awake --nothing to do, or its domain ends--> Absent

   There is no domain for that, since each minor collection would wait for it, although it is parked:
   that cost a program on two cores a fifth of its speed. *)

open Awaited

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
      let parked = { s with alarm } in
      Interrupter.expect (next_time s);
      if Atomic.compare_and_set state s parked then begin
        (* Pairs with [expect]. *)
        if thread_alarm s now >= alarm then
          park t.bell ~until:alarm (if s.kept_until = awake then s.watches else []);
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

(* A finaliser may raise here, but must not end it: to be repeated until it returns. *)
let live ~hand_over t () =
  match
    Duty.during ~hand_over (fun () ->
        Bell.prepare t.bell;
        serve t ~since:(Clock.now ());
        Shared.push spare_bells t.bell)
  with
  | () -> ()
  | exception exn ->
      Failure.report (Failure.caught exn);
      raise exn

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
    if take_place t then Critical.finish_to_end (live ~hand_over:(fun () -> give_up t) t)
  in
  let s = Atomic.get state in
  if Option.fold ~none:false ~some:is_here s.thread then begin
    leave ();
    if (not (has_nothing s)) && Births.spawn run ~keep:ignore then Births.prepare_end ()
  end

let at_end : unit Lazy.t Domain.DLS.key =
  Domain.DLS.new_key (fun () -> lazy (if not (Domain.is_main_domain ()) then Domain.at_exit move))

(* Where no thread can be made, the workers serve what is due, and try again. *)
let rec start () =
  let t = create_thread () in
  let begin_ () =
    if take_place t then
      try
        Lazy.force (Domain.DLS.get at_end);
        let live = live ~hand_over:(hand_over t) t in
        Signals.with_all_blocked (fun () ->
            ignore (Thread.create Critical.finish_to_end live : Thread.t))
      with
      | Failure _ | Sys_error _ -> Critical.finish_with give_up t
      | exn -> Critical.raise_despite give_up t exn
  in
  Duty.during ~hand_over:(hand_over t) begin_

and hand_over t () =
  give_up t;
  ensure ()

and ensure () =
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
