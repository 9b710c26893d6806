(* Run.

   Between two iterations, when a thief asks, the outermost loop that has a rest gives the upper half of it
   (lazy binary splitting, Tzannes et al., PPoPP 2010).

   A thief asks when it has seen the same loop for a while (see [Search.ask]): one that ends sooner than a
   thief could help would be the slower for it. A loop looks at the clock only where others sleep. If loops of
   late were long, it wakes one of them at once (see [Worth]); else when it has lasted for long. So a short
   loop pays for a look at the list of sleepers, and at the clock if there are some. Kernels: for-tiny,
   nbody-planets. Probe: regions.

   To ask is to store [Worker.asked] in the loop's [until], which the run compares with [next] before each
   iteration. So a loop pays for its end, for thieves, for failures and for cancellations with one
   comparison an iteration. *)

type t = {
  mutable loop : Worker.loop; (* another one each time that the frame has moved *)
  mutable home : Worker.t;
  errors : Error_group.t;
  mutable since : float; (* when an iteration began that is timed, in seconds; or 0 *)
  mutable began : float; (* when the run began, if it is timed; or 0 *)
  mutable stride : int; (* iterations until it looks at the clock *)
}

let[@inline] home run = run.home
let[@inline] loop run = run.loop

(* To wake a sleeper *)

let notify (w : Worker.t) = Section.run Team.notify w.team

(* When the run begins, if it is timed; else 0. What a wake-up costs is not the loop's. *)
let[@inline] time_begin (w : Worker.t) =
  if not (Team.has_helper w.team) then begin
    if Team.lacks_one_standing_by w.team then notify w;
    0.
  end
  else begin
    let now = System.now () in
    (* What is left of a loop around it goes first. *)
    let is_region =
      w.sp = 0
      && match w.loops with [] -> true | _ :: outer -> not (List.exists Open_loops.has_any outer)
    in
    if is_region then Worth.begin_region w now;
    if is_region && Team.needs_helper w.team && Worth.deserves_wake_up w then begin
      Section.run Fork_stack.wake w;
      System.now ()
    end
    else now
  end

(* Twice as many iterations from each look to the next. *)
let look_at_clock ({ loop; home; began; stride; _ } as run) =
  if began > 0. then
    if Worth.is_long home ~passed:(System.now () -. began) then begin
      run.began <- 0.;
      home.short <- 0;
      notify home
    end
    else begin
      run.stride <- 2 * stride;
      Open_loops.set_until home loop (Int.min loop.until (loop.next + stride))
    end

let after_first ({ loop; home; _ } as run) =
  ignore (Open_loops.take_offer loop : bool);
  Open_loops.set_until home loop (Slice.until home loop);
  look_at_clock run

(* The beginning and the end *)

let[@inline] create errors w ~grain ~left ~body next stop =
  {
    loop = Open_loops.create ~grain ~left ~body (next + 1) stop;
    home = w;
    errors;
    since = 0.;
    began = 0.;
    stride = 32;
  }

(* The look at the sleepers comes after the step into the list: see [Scheduler.sleep]. *)
let[@inline] start ({ loop; home; _ } as run) ~was_offer =
  let give_half { loop; home; _ } =
    if Open_loops.give home loop ~all:false ~behind:false then Team.notify home.team
  in
  if was_offer then Section.run give_half run;
  if home.slice.has_woken then Slice.note_woken home;
  let has_more = loop.next < loop.stop in
  (* A loop in a loop that has more to give makes an offer only where somebody might take it. *)
  if
    has_more
    &&
    match home.loops with
    | [] -> Array.length home.team.members > 1
    | outer -> List.for_all Open_loops.hides_nothing outer || Team.wants_work home.team
  then begin
    loop.until <- Worker.fresh;
    Open_loops.offer_from home loop loop.next
  end;
  Open_loops.add home loop;
  if has_more then begin
    let began = time_begin home in
    if began > 0. then run.began <- began;
    if (began > 0. || Slice.watches home) && loop.until <> Worker.fresh then
      Open_loops.set_until home loop Worker.fresh
  end

(* A loop that was asked is not timed. *)
let[@inline] finish { loop; home; began; _ } =
  Open_loops.remove home loop;
  if began > 0. && home.loops == [] && home.sp = 0 then Worth.end_loop home (System.now () -. began)

let give_up ({ loop; home; _ } as run) =
  if not (Worker.is_still home) then Open_loops.seize loop;
  finish run;
  Open_loops.take_all loop

let abandon run = Section.run_reserved give_up run

(* Between two iterations *)

(* The frame is on another worker than [run.home] is, or [w], its own, has changed its identity. *)
let come_over run (w : Worker.t) =
  if w == run.home then Worker.recognise w
  else begin
    Open_loops.seize run.loop;
    run.loop <- Open_loops.copy run.loop;
    run.home <- w;
    if w != Worker.nobody then Open_loops.add w run.loop
  end

(* [run] has no iterations left: it goes on with the next part, if nobody has taken that. *)
let reclaim { loop; _ } (w : Worker.t) =
  match loop.parts with
  | Part { job; _ } when Open_loops.take_first loop ->
      Deque.drop w.deque job;
      if not (Open_loops.is_innermost w loop) then Open_loops.add w loop;
      (* The thief that asked for the part may be on the way, but may never come. So this run does not give all of
         it again before it has done anything. *)
      Open_loops.set_until w loop (Slice.until w loop);
      if Team.wants_work w.team && Open_loops.half loop < loop.stop - loop.next then
        Worker.ask_loop loop;
      true
  | Part _ | No_part -> false

(* An iteration that took 20 microseconds is followed by an offer. *)
let offer_if_long run (w : Worker.t) =
  let loop = run.loop and now = Unix.gettimeofday () in
  loop.is_long <- run.since = 0. || now -. run.since > 20e-6;
  if loop.is_long then begin
    run.since <- now;
    Open_loops.offer_from w loop (loop.next + 1);
    Open_loops.set_until w loop (loop.next + 1)
  end
  else run.since <- 0.

let look_around run (w : Worker.t) =
  let loop = run.loop in
  let was_asked = Open_loops.is_asked loop in
  Worker.pass_point w;
  Slice.serve_timers w ~is_counted:(Open_loops.is_counted loop);
  (* First this: a thief that asks afterwards is heard. *)
  Open_loops.withdraw_requests w;
  Open_loops.set_until w loop (Slice.until w loop);
  Error_group.check run.errors;
  Token.poll w.context.token;
  if was_asked then begin
    run.began <- 0.;
    Worth.show w;
    if Fork_stack.give w then Team.notify w.team
  end
  else look_at_clock run

let look_closely run =
  let w = Option.value (Worker.mine ()) ~default:Worker.nobody in
  if not (Worker.is_still run.home) then come_over run w;
  let loop = run.loop in
  ignore (Open_loops.take_offer loop : bool);
  if loop.next < loop.stop then look_around run w;
  if loop.next < loop.stop then begin
    if loop.is_long then offer_if_long run w;
    true
  end
  else reclaim run w

let look ({ loop; home; _ } as run) =
  let is_here = Worker.is_still home in
  if is_here && loop.until = Worker.fresh then after_first run;
  if is_here && loop.next < loop.until then true
  else
    let has_left = (not is_here) || loop.next < loop.stop || loop.parts != No_part in
    has_left
    && begin
      Yield.give_turn ~is_counted:(Open_loops.is_counted loop);
      Section.run look_closely run
    end

(* Nothing between this look at [until] and the step of [next] may be a safepoint, where the loop
   could give that iteration away. *)
let[@inline] has_next (loop : Worker.loop) domain =
  This_thread.domain () == domain && loop.next < loop.until

let[@inline] take (loop : Worker.loop) =
  let i = loop.next in
  loop.next <- i + 1;
  i

let[@inline] take_upto run upto = run.loop.next <- upto

(* Not by [has_next]: to read the domain of [home] is a race, which is meant in [Worker.is_still] only,
   and ThreadSanitizer's suppressions know it there. *)
let[@inline] is_ready { loop; home; _ } = Worker.is_still home && loop.next < loop.until
let[@inline] more run = is_ready run || look run
