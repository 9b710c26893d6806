(* Divisible: loops that others help with while they run.

   A loop stands in its worker's list of loops with what is left of it, and gives parts of that
   away.

   Between two iterations, when a thief asks, the outermost loop that has a rest gives the upper
   half of it (lazy binary splitting, Tzannes et al., PPoPP 2010). In the middle of an iteration,
   when a thief got no answer for some time, it gives all of the rest (see [Ticker]); or the thief
   takes a half itself, if the loop is open (see [Rest]): while the first iteration of the outermost
   loop runs, and while others run once a thief had to wait for one. When an iteration suspends, it
   gives all of the rest too, so that only the loop's end waits.

   A thief asks when it has seen the same loop for a while (see [Scheduler.ask]): one that ends
   sooner than a thief could help would be the slower for it. So a loop looks at the clock only when
   all thieves sleep, to wake one.

   Then the loop goes on with the leftmost part, in place, as long as nobody has taken that, and
   joins the others from left to right. But where a loop has no result, the rest that a suspended
   iteration leaves is on its own: it is counted, and only the call of the loop waits for it. Were
   it joined, every iteration that has suspended would stay until the last one.

   The parts fail together (see [Gather]). Whoever fails asks all loops, as a thief would; so a loop
   pays for its end, for thieves and for failures with one comparison an iteration. *)

(* One worker's stretch of a loop. *)
type 'a run = {
  mutable rest : 'a Rest.t; (* another one each time that the frame has moved *)
  context : Context.t;
  mutable ahead : ahead option; (* once it has begun iterations ahead *)
  mutable opened_at : float; (* while its iterations are long; else 0 *)
}

(* [left]: how many of these have not ended that have left their chain; the run counts as one. *)
and ahead = {
  begun : Ahead.t;
  left : int Atomic.t;
  run_ending : Alone.ending; (* of the run *)
  ending : Alone.ending; (* of all together *)
}

(* What one call of a loop is made of. [steps t run i] takes [i] and then all iterations of [run],
   and is their share of the result. *)
type 'a t = {
  gather : Gather.t;
  grain : int;
  steps : 'a t -> 'a run -> int -> 'a;
  go : 'a t -> Worker.t -> int -> int -> 'a; (* [go] below *)
  combine : 'a -> 'a -> 'a;
  context : Context.t; (* of the call *)
  joins_all : bool; (* as a loop with a result does *)
  mutable trust : int; (* that iterations are short: see [give_next] *)
  mutable is_long : bool; (* a thief waited for the end of an iteration; a guess *)
  mutable alone : Alone.t option; [@atomic] (* made with the first part on its own *)
}

let[@inline] grain t = t.grain
let[@inline] home run = run.rest.home
let[@inline] loop run = run.rest.loop
let[@inline] take_upto run upto = Rest.take_upto run.rest upto

(* A loop that is not short wakes a sleeper: at once, but seldom, as it may be a short one;
   otherwise when it has done this many iterations, or the first took this long. Kernels: for-tiny,
   nbody-planets. *)

let first_iterations = 32
let long_iteration = 0.5e-6 (* seconds *)

(* Whether somebody looks for work, or sleeps because there was none. *)
let is_wanted (team : Worker.team) =
  Atomic.get team.searching > 0 || not (Sleepers.is_empty team.sleepers)

(* When that was, if it is to be timed; else 0. *)
let before_first run =
  let w = run.rest.home in
  if Sleepers.is_empty w.team.sleepers then 0.
  else begin
    let now = Unix.gettimeofday () in
    if Worker.may_wake w now then begin
      Team.notify w.team;
      0.
    end
    else now
  end

let after_first run since =
  let { Rest.loop; home; _ } = run.rest in
  if Worker.is_still home then begin
    if Rest.is_open run.rest then Rest.close run.rest;
    if since > 0. then
      if Unix.gettimeofday () -. since > long_iteration then Team.notify home.team
      else if loop.stop - loop.next > first_iterations then
        Fork_stack.set_until home loop (loop.next + first_iterations)
  end

(* Where the loop stands *)

let[@inline] enter (w : Worker.t) loop =
  let outer = w.loops in
  Worker.enter_loop w loop;
  Worker.pass_point w;
  match outer with
  | outer :: _ when Fork_stack.is_asked outer -> Worker.ask_loop loop
  | _ :: _ | [] ->
      (* Comes after the step into the list; pairs with [Token.interrupt], and, as the fence that it is,
         with the last look of [Scheduler.park]. *)
      if Token.is_interrupted_now w.context.token.fiber then Worker.ask_loop loop

(* If the task was suspended meanwhile, the loop is in nobody's list any more. *)
let[@inline] leave { Rest.loop; home; _ } =
  if home == Worker.of_domain () then Worker.leave_loop home loop

(* Parts that are given away *)

let[@inline] alone t = Atomic.Loc.get [%atomic.loc t.alone]

let rec alone_of t =
  match alone t with
  | Some alone -> alone
  | None ->
      let alone = Alone.create t.context.token in
      if Atomic.Loc.compare_and_set [%atomic.loc t.alone] None (Some alone) then begin
        ignore (Token.start (Alone.token alone) : bool);
        alone
      end
      else alone_of t

(* For whoever has asked, at once; or, if the owner does not come by, behind what is in the deque. *)
let give_to_join t (rest : _ Rest.t) context (w : Worker.t) ~all =
  let part n = if all then n else Int.max t.grain (n - (n / 2)) in
  let given = ref Job.none in
  let add first behind parts =
    let job = Job.part (Context.fork context) (fun () -> t.go t (Worker.here ()) first behind) in
    given := Job.Job job;
    { Rest.job; first; behind; is_settled = false } :: parts
  in
  Rest.give rest w ~part ~add ~alone:None
  && begin
    if all then Fork_stack.put_behind w !given else Deque.push w.deque !given;
    true
  end

(* The rest that leaves a suspended task goes behind what is in the deque, too: that may be what it
   waits for, and iterations that all wait should not all start before. *)
let give_alone t rest w =
  let alone = alone_of t in
  let given = ref Job.none in
  let add start stop parts =
    let token = Token.task (Alone.token alone) in
    let part () =
      let w = Worker.of_domain () in
      Task.enter w { t.context with token };
      Worker.unmask w;
      Gather.check t.gather;
      Task.poll ();
      ignore (t.go t (Worker.here ()) start stop)
    in
    given := Alone.job alone t.gather token part;
    parts
  in
  let push () = Fork_stack.put_behind w !given in
  Rest.give rest w ~part:Fun.id ~add ~alone:(Some alone)
  && begin
    (* It may be there twice. *)
    Critical.finish push;
    true
  end

(* Iterations ahead (see [Ahead]). Each is in a run of its own, which has no rest. *)

let single run i =
  { run with rest = Rest.create (Worker.here ()) ~is_open:false (i + 1) (i + 1) []; ahead = None }

(* One that has left its chain is on its own; together with the run they count as one part. May be
   called again with the same [ending]. *)
let end_ahead alone ahead ending =
  Alone.count_down ahead.left ending;
  if ending.was_last then begin
    Token.finish ahead.begun.parent;
    Alone.leave alone ahead.ending
  end

let catch_iteration steps i =
  match
    Worker.unmask_again ();
    steps i
  with
  | _ ->
      Worker.mask_here ();
      Ok ()
  | exception exn ->
      Worker.mask_in_handler ();
      Failure.error exn

let create_ahead t run =
  let alone = alone_of t in
  let parent = Token.begin_task ignore (Alone.token alone) and left = Atomic.make 1 in
  let steps i =
    Task.poll ();
    t.steps t (single run i) i
  in
  let rec iteration (place : Ahead.place) =
    let outcome = catch_iteration steps place.index in
    let ending = Alone.ending () and outcome = Task.let_go outcome in
    Critical.finish (fun () ->
        Alone.end_piece alone t.gather outcome;
        Token.finish (Worker.here ()).context.token;
        if place.has_left then end_ahead alone ahead ending)
  and leave () = Atomic.incr left
  and ahead =
    {
      begun = { context = t.context; parent; iteration; leave };
      left;
      run_ending = Alone.ending ();
      ending = Alone.ending ();
    }
  in
  ahead

let[@poll error] begin_ahead alone run ahead =
  Alone.enter alone;
  run.ahead <- ahead

let ahead_of t run =
  match run.ahead with
  | Some ahead -> ahead.begun
  | None ->
      let ahead = create_ahead t run in
      begin_ahead (alone_of t) run (Some ahead);
      ahead.begun

(* [run] has ended. *)
let[@inline] leave_ahead t run =
  match run.ahead with None -> () | Some ahead -> end_ahead (alone_of t) ahead ahead.run_ending

(* A chain that takes long to end may do so because of a collection, so that counts as eight that do
   not. [trust] is plain, although all workers of the loop judge: a judgement that is lost, or seen
   late, makes one chain more or less. *)

let full_trust = 32

let judge t =
  t.trust <- (if Ahead.ended_soon () then Int.min full_trust (t.trust + 1) else t.trust - 8)

(* Thieves that ask are answered as between two iterations. *)
let give_next t run (rest : _ Rest.t) (w : Worker.t) =
  if Fork_stack.is_asked rest.loop then begin
    Worker.pass_point w;
    Fork_stack.calm_loops w;
    if Fork_stack.give w then Team.notify w.team
  end;
  t.trust > 0
  && w.context.batches == t.context.batches
  && (not (Gather.has_failed t.gather))
  &&
  match Rest.take_first rest with
  | None -> false
  | Some i ->
      Ahead.run w (ahead_of t run) i;
      if not (Ahead.is_in_chain ()) then judge t;
      true

let give t (run : _ run) rest w : Worker.portion -> bool = function
  | Leaving when not t.joins_all -> give_alone t rest w
  | Leaving | All -> give_to_join t rest run.context w ~all:true
  | Half -> give_to_join t rest run.context w ~all:false
  | Next -> give_next t run rest w

(* The run goes on *)

let[@poll error] step_over run (before : _ Rest.state) rest =
  Rest.leave_from run.rest before
  && begin
    run.rest <- rest;
    true
  end

(* The frame is on another worker than [run.rest] is, or [w], its own, has changed its identity. What
   is left gets a rest here. *)
let rec come_over t run (w : Worker.t) =
  let old = run.rest in
  let before = Rest.state old in
  let next = Rest.next old before in
  if w == old.home then Worker.recognise w
  else if next < before.stop || before.given <> [] then begin
    let rest = Rest.create w ~is_open:false next before.stop before.given in
    rest.loop.give <- (fun w portion -> give t run rest w portion);
    if not (step_over run before rest) then come_over t run w
    else if w != Worker.nobody then enter w rest.loop
  end

(* Takes a part that nobody has begun out of the deque again. *)
let take_back (part : _ Rest.part) =
  Job.claim part.job
  && begin
    part.is_settled <- true;
    Fork_stack.drop (Worker.here ()) (Job.Job part.job);
    true
  end

(* [run] has no iterations left: it goes on with the next part, if nobody has taken that. *)
let reclaim run =
  let rest = run.rest in
  match Rest.given rest with
  | part :: _ when take_back part ->
      let w = Worker.here () in
      leave rest;
      Rest.go_back rest part;
      enter w rest.loop;
      (* Whoever asked for it may be on the way. *)
      if is_wanted w.team then Worker.ask_loop rest.loop;
      true
  | _ :: _ | [] -> false

(* A loop of which an iteration took this long is open while the next one runs. *)
let too_long = 20e-6 (* seconds *)

let open_for_long t run =
  let now = Unix.gettimeofday () in
  t.is_long <- run.opened_at = 0. || now -. run.opened_at > too_long;
  run.rest.loop.is_long <- t.is_long;
  if t.is_long then begin
    run.opened_at <- now;
    Rest.open_for_one run.rest
  end
  else run.opened_at <- 0.

let look_around t run (w : Worker.t) =
  let loop = run.rest.loop in
  let was_asked = Fork_stack.is_asked loop in
  Worker.pass_point w;
  loop.has_moved <- false;
  (* First this: whoever asks afterwards is heard. *)
  Fork_stack.calm_loops w;
  Gather.check t.gather;
  Token.poll w.context.token.fiber;
  if (not was_asked) || Fork_stack.give w then Team.notify w.team

let look_closely t run =
  let w = Option.value (Worker.mine ()) ~default:Worker.nobody in
  if not (Worker.is_still run.rest.home) then come_over t run w;
  let rest = run.rest in
  if Rest.is_open rest then Rest.close rest;
  if Rest.is_empty rest then reclaim run
  else begin
    look_around t run w;
    if Rest.is_empty rest then reclaim run
    else begin
      if rest.loop.is_long then open_for_long t run;
      true
    end
  end

let look t run =
  let rest = run.rest in
  (not (Worker.is_still rest.home && Rest.is_over rest)) && look_closely t run

let[@inline] is_ready run =
  let { Rest.loop; home; _ } = run.rest in
  Worker.is_still home && loop.next < loop.until

let[@inline] more t run = is_ready run || look t run

(* The end of a run *)

(* The result of a part, which its giver runs itself if nobody has taken it. *)
let join_part part =
  if take_back part then Job.take_body part.job ()
  else begin
    let outcome = Fork_join.await_stolen part.job in
    part.is_settled <- true;
    Failure.get outcome
  end

let rec join_parts t run share =
  match Rest.given run.rest with
  | [] -> share
  | part :: _ ->
      let share = Gather.last_piece t.gather (fun () -> t.combine share (join_part part)) in
      Rest.forget_first run.rest;
      join_parts t run share

(* The same where nobody wants the results. What was raised in a part before it began counts. *)
let rec forget_parts t run reason =
  match Rest.given run.rest with
  | [] -> ()
  | part :: _ ->
      if not (part.is_settled || take_back part) then
        Result.iter_error (Gather.add t.gather) (Fork_join.give_up part.job reason);
      Rest.forget_first run.rest;
      forget_parts t run reason

(* Whoever is asked looks at [gather] too. *)
let ask_all () = Array.iter Worker.ask_loops (Worker.here ()).team.members

let give_up t run (failure : Failure.t) =
  Rest.leave run.rest;
  leave run.rest;
  leave_ahead t run;
  Gather.add t.gather failure;
  ask_all ();
  forget_parts t run failure.exn;
  Gather.skip t.gather

(* What interrupts the end of a failed run is one more failure. But code that cannot wait leaves its
   parts alone. *)
let rec fail t run exn =
  match give_up t run (Failure.caught exn) with
  | share -> share
  | exception ((Gather.Skipped _ | Invalid_argument _ | Stack_overflow) as exn) -> raise_notrace exn
  | exception exn -> fail t run exn

(* Whether thieves may take a part while the first iteration runs: of a loop in a loop only if there
   are some already. *)
let[@inline] begins_open (w : Worker.t) =
  match w.loops with [] -> Array.length w.team.members > 1 | _ :: _ -> is_wanted w.team

let go t worker next stop =
  (* The first iteration is not for others: there must be a share. *)
  let is_open = next + 1 < stop && begins_open worker in
  let rest = Rest.create worker ~is_open (next + 1) stop [] in
  let run = { rest; context = worker.context; ahead = None; opened_at = 0. } in
  rest.loop.is_long <- t.is_long;
  rest.loop.give <- (fun w portion -> give t run rest w portion);
  match
    if is_open then Rest.publish rest;
    enter worker rest.loop;
    Gather.check t.gather;
    let share = t.steps t run next in
    leave run.rest;
    leave_ahead t run;
    match Rest.given run.rest with [] -> share | _ :: _ -> join_parts t run share
  with
  | share -> share
  | exception exn -> fail t run exn

(* All of start .. finish, which is not empty. An interval of more than [max_int] integers is halved
   first, and [max_int] is taken by itself, so that the end of what is divided is above the rest. *)
let rec cover : 'a. 'a t -> Worker.t -> int -> int -> 'a =
 fun t w start finish ->
  let is_long = finish - start < 0 || finish - start = max_int in
  if start = finish || not (is_long || finish = max_int) then go t w start (finish + 1)
  else
    let middle =
      if is_long then (start land finish) + ((start lxor finish) asr 1) else finish - 1
    in
    let a, b =
      Fork_join.both
        (fun () -> cover t (Worker.here ()) start middle)
        (fun () -> cover t (Worker.here ()) (middle + 1) finish)
    in
    Gather.piece t.gather (fun () -> t.combine a b)

(* The call has ended: waits for its parts on their own. Such a part may fail when the call has
   succeeded; and what interrupts the wait is one more failure. *)
let rec join_alone t outcome =
  match Option.iter (fun alone -> Alone.join alone t.gather outcome) (alone t) with
  | () -> ()
  | exception ((Invalid_argument _ | Stack_overflow) as exn) -> raise exn
  | exception exn -> join_alone t (Failure.error exn)

let conclude t outcome =
  Gather.finish t.gather (fun () ->
      Gather.check t.gather;
      Failure.get outcome;
      assert false (* one of them raises *))

let run_inside (w : Worker.t) ~joins_all ~grain ~combine ~steps ~start ~finish =
  let t =
    {
      gather = Gather.create ();
      grain;
      steps;
      go;
      combine;
      context = w.context;
      joins_all;
      trust = (if joins_all then 0 else full_trust);
      is_long = false;
      alone = None;
    }
  in
  match
    let share = cover t w start finish in
    join_alone t (Ok ());
    share
  with
  | share when not (Gather.has_failed t.gather) -> share
  | _ -> conclude t (Ok ())
  | exception exn ->
      let outcome = Failure.error exn in
      join_alone t outcome;
      conclude t outcome

let run_anywhere ~joins_all ~grain ~combine ~steps ~start ~finish =
  match Worker.mine () with
  | Some w when Debug.is_on ->
      Extent.within Context.started_here (fun () ->
          run_inside w ~joins_all ~grain ~combine ~steps ~start ~finish)
  | Some w -> run_inside w ~joins_all ~grain ~combine ~steps ~start ~finish
  | None ->
      Pool.inside (fun () ->
          run_inside (Worker.here ()) ~joins_all ~grain ~combine ~steps ~start ~finish)

let run ~grain ~combine ~steps ~start ~finish =
  run_anywhere ~joins_all:true ~grain ~combine ~steps ~start ~finish

(* The same without results. *)

let nothing () () = ()

let run_unit ~grain ~steps ~start ~finish =
  run_anywhere ~joins_all:false ~grain ~combine:nothing ~steps ~start ~finish
