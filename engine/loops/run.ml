(* Run.

   A run stands in its worker's list of loops with what is left of it (see [Rest]), and gives
   parts of that away.

   Between two iterations, when a thief asks, the outermost loop that has a rest gives the upper
   half of it (lazy binary splitting, Tzannes et al., PPoPP 2010). In the middle of an iteration,
   when a thief got no answer for some time, it gives all of the rest (see [Ticker]); or the
   thief takes a half itself, if the loop is open (see [Rest]): while the first iteration of the
   outermost loop runs, and while others run once a thief had to wait for one. When an iteration
   suspends, it gives all of the rest too, so that only the loop's end waits.

   A thief asks when it has seen the same loop for a while (see [Search.ask]): one that ends
   sooner than a thief could help would be the slower for it. So a loop looks at the clock only
   when all thieves sleep, to wake one.

   To ask is to store [Worker.asked] in the loop's [until], which the run compares with [next]
   before each iteration. So a loop pays for its end, for thieves, for failures and for
   cancellations with one comparison an iteration. *)

type 'a t = {
  call : 'a call;
  mutable rest : 'a Rest.t; (* another one each time that the frame has moved *)
  context : Context.t;
  mutable opened_at : float; (* while its iterations are long; else 0 *)
}

and 'a call = {
  errors : Error_group.t;
  grain : int;
  steps : 'a t -> int -> 'a;
  go : 'a call -> Worker.t -> int -> int -> 'a;
  combine : 'a -> 'a -> 'a;
  caller : Context.t;
  joins_all : bool;
  (* All runs write these guesses; that one of them is lost does no harm. *)
  mutable is_long : bool;
  mutable alone : Alone.t option; [@atomic]
}

let[@inline] call (w : Worker.t) ~joins_all ~grain ~combine ~steps ~go =
  {
    errors = Error_group.create ();
    grain;
    steps;
    go;
    combine;
    caller = w.context;
    joins_all;
    is_long = false;
    alone = None;
  }

let[@inline] alone call = Atomic.Loc.get [%atomic.loc call.alone]
let[@inline] grain run = run.call.grain
let[@inline] rest run = run.rest
let[@inline] home run = run.rest.home
let[@inline] loop run = run.rest.loop
let[@inline] take_upto run upto = Rest.take_upto run.rest upto

(* Giving: what others take of the rest *)

let alone_of call = Alone.shared [%atomic.loc call.alone] call.caller.token

let give ({ call; _ } as run) rest w (portion : Worker.portion) =
  let body next stop = call.go call (Worker.here ()) next stop in
  let to_join ~all = Parts.give_to_join rest w run.context ~grain:call.grain ~all body in
  match portion with
  | Leaving when not call.joins_all ->
      Parts.give_alone rest w (alone_of call) call.caller call.errors body
  | Leaving | All -> to_join ~all:true
  | Half -> to_join ~all:false

(* The beginning and the end *)

(* Whether thieves may take a part while the first iteration runs: of a loop in a loop only if there
   are some already. *)
let[@inline] begins_open (w : Worker.t) =
  match w.loops with [] -> Array.length w.team.members > 1 | _ :: _ -> Team.wants_work w.team

let create call (w : Worker.t) next stop =
  (* The first iteration is not for others: there must be a share. *)
  let is_open = next + 1 < stop && begins_open w in
  let rest = Rest.create w ~is_open (next + 1) stop [] in
  let run = { call; rest; context = w.context; opened_at = 0. } in
  rest.loop.is_long <- call.is_long;
  rest.loop.give <- (fun w portion -> give run rest w portion);
  run

let[@inline] enter { rest; _ } =
  if Rest.is_open rest then Rest.publish rest;
  Open_loops.enter rest.home rest.loop

let[@inline] leave run = Open_loops.leave run.rest.home run.rest.loop

(* Between two iterations *)

let[@poll error] step_over run (before : _ Rest.state) rest =
  Rest.leave_from run.rest before
  && begin
    run.rest <- rest;
    true
  end

(* The frame is on another worker than [run.rest] is, or [w], its own, has changed its identity. What
   is left gets a rest here. *)
let rec come_over run (w : Worker.t) =
  let old = run.rest in
  let before = Rest.state old in
  let next = Rest.next old before in
  if w == old.home then Worker.recognise w
  else if next < before.stop || before.given <> [] then begin
    let rest = Rest.create w ~is_open:false next before.stop before.given in
    rest.loop.give <- (fun w portion -> give run rest w portion);
    if not (step_over run before rest) then come_over run w
    else if w != Worker.nobody then Open_loops.enter w rest.loop
  end

(* Of what is asked for, this run keeps some. *)
let can_share { call = { grain; _ }; rest = { loop; _ }; _ } =
  let n = loop.stop - loop.next in
  Parts.half ~grain n < n

(* [run] has no iterations left: it goes on with the next part, if nobody has taken that. *)
let reclaim ({ rest; _ } as run) =
  match Rest.given rest with
  | part :: _ when Parts.take_back part ->
      let w = Worker.here () in
      Open_loops.leave rest.home rest.loop;
      Rest.go_back rest part;
      Open_loops.enter w rest.loop;
      (* Whoever asked for it may be on the way, but may never come; and an outer loop may be a
         generator's, which is paused and asked. So this run does not give all of it again before it has
         done anything. *)
      Open_loops.calm_mine w rest.loop;
      if Team.wants_work w.team && can_share run then Worker.ask_loop rest.loop;
      true
  | _ :: _ | [] -> false

(* A loop of which an iteration took this long is open while the next one runs. *)
let too_long = 20e-6 (* seconds *)

let open_for_long ({ call; rest; _ } as run) =
  let now = Unix.gettimeofday () in
  call.is_long <- run.opened_at = 0. || now -. run.opened_at > too_long;
  rest.loop.is_long <- call.is_long;
  if call.is_long then begin
    run.opened_at <- now;
    Rest.open_for_one rest
  end
  else run.opened_at <- 0.

let look_around run (w : Worker.t) =
  let loop = run.rest.loop in
  let was_asked = Open_loops.is_asked loop in
  Worker.pass_point w;
  loop.has_moved <- false;
  (* First this: whoever asks afterwards is heard. *)
  Open_loops.calm w;
  Open_loops.calm_mine w loop;
  Error_group.check run.call.errors;
  Token.poll w.context.token;
  if (not was_asked) || Fork_stack.give w then Team.notify w.team

let look_closely run =
  Task.stand_back ();
  let w = Option.value (Worker.mine ()) ~default:Worker.nobody in
  if not (Worker.is_still run.rest.home) then come_over run w;
  let rest = run.rest in
  if Rest.is_open rest then Rest.close rest;
  if Rest.is_empty rest then reclaim run
  else begin
    look_around run w;
    if Rest.is_empty rest then reclaim run
    else begin
      if rest.loop.is_long then open_for_long run;
      true
    end
  end

let look run =
  let rest = run.rest in
  (not (Worker.is_still rest.home && Rest.is_over rest)) && Section.run look_closely run

(* Nothing between this look at [until] and the step of [next] may be a safepoint, where the loop
   could give that iteration away. *)
let[@inline] has_next (loop : Worker.loop) domain =
  Worker.domain () == domain && loop.next < loop.until

let[@inline] take (loop : Worker.loop) =
  let i = loop.next in
  loop.next <- i + 1;
  i

(* Not by [has_next]: to read the domain of [home] is a race, which is meant in [Worker.is_still] only,
   and ThreadSanitizer's suppressions know it there. *)
let[@inline] is_ready { rest = { loop; home; _ }; _ } =
  Worker.is_still home && loop.next < loop.until

let[@inline] more run = is_ready run || look run
