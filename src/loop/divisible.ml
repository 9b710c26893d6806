(* Divisible: loops that others help with while they run.

   A loop takes its iterations one after the other, as a [for] does, and makes no job before
   somebody wants one. It stands in its worker's list of loops with what is left of it, and gives
   parts of that away.

   Between two iterations, when a thief asks, the outermost loop that has a rest gives the upper
   half of it (lazy binary splitting, Tzannes et al., PPoPP 2010). In the middle of an iteration,
   when a thief got no answer for some time, it gives all of the rest (see [Ticker]). When an
   iteration suspends, it gives all of the rest too, so that only the loop's end waits.

   A thief asks when it has seen the same loop for a while (see [Scheduler.ask]): one that ends
   sooner than a thief could help would be the slower for it. So a loop looks at the clock only when
   all thieves sleep, to wake one.

   Then the loop goes on with the leftmost part, in place, as long as nobody has taken that, and
   joins the others from left to right. But where a loop has no result, the rest that a suspended
   iteration leaves is on its own: it is counted, and only the call of the loop waits for it. Were
   it joined, every iteration that has suspended would stay until the last one.

   The parts fail together (see [Gather]). Whoever fails asks all loops, as a thief would; so a loop
   pays for its end, for thieves and for failures with one comparison an iteration. *)

type 'a run = {
  loop : Worker.loop;
  mutable worker : Worker.t; (* that runs it *)
  mutable given : 'a part list; (* to be joined, leftmost first *)
  mutable ahead : ahead option; (* once it has begun iterations ahead *)
}

(* [left]: how many of these have not ended that have left their chain; the run counts as one. *)
and ahead = { begun : Ahead.t; left : int Atomic.t }
and 'a part = { job : 'a Job.job; first : int; behind : int (* the last one *) }

(* What one call of a loop is made of. [steps t run i] takes [i] and then all iterations of [run],
   and is their share of the result. *)
type 'a t = {
  gather : Gather.t;
  grain : int;
  steps : 'a t -> 'a run -> int -> 'a;
  combine : 'a -> 'a -> 'a;
  context : Context.t; (* of the call *)
  joins_all : bool; (* as a loop with a result does *)
  mutable trust : int; (* that iterations are short: see [give_next] *)
  alone : alone option Atomic.t; (* made with the first part on its own *)
}

(* The parts on their own: how many have not ended, the call of the loop included, and what cancels
   them. *)
and alone = { parts : int Atomic.t; ended : unit Ivar.t; token : Token.t }

let rest (loop : Worker.loop) = loop.stop - loop.next

(* A loop that is not short wakes a sleeper: at once, but seldom, as it may be a short one;
   otherwise when it has done this many iterations, or the first took this long. Kernels: for-tiny,
   nbody-planets. *)

let first_iterations = 32
let long_iteration = 0.5e-6 (* seconds *)
let seldom = 200e-6 (* seconds *)

(* When the first iteration begins, if that is to be timed; else 0. *)
let before_first run =
  let w = run.worker in
  if Sleepers.is_empty w.team.sleepers then 0.
  else begin
    let now = Unix.gettimeofday () in
    if now -. w.woke > seldom then begin
      w.woke <- now;
      Team.notify w.team;
      0.
    end
    else now
  end

let after_first run since =
  if since > 0. then
    if Unix.gettimeofday () -. since > long_iteration then Team.notify run.worker.team
    else if rest run.loop > first_iterations then
      Fork_stack.set_until (Worker.here ()) run.loop (run.loop.next + first_iterations)

(* Parts that were given away *)

let enter (w : Worker.t) loop =
  let outer = w.loops in
  w.loops <- loop :: outer;
  Worker.pass_point w;
  match outer with
  | outer :: _ when Fork_stack.is_asked outer -> Worker.ask_loop loop
  | _ :: _ | [] ->
      (* Comes after the step into the list; pairs with [Token.interrupt]. *)
      if Token.is_interrupted_now w.context.token.fiber then Worker.ask_loop loop

(* If the task was suspended meanwhile, the loop is in nobody's list any more. *)
let leave loop =
  let w = Worker.here () in
  match w.loops with l :: loops when l == loop -> w.loops <- loops | _ -> ()

let end_alone alone =
  if Atomic.fetch_and_add alone.parts (-1) = 1 then ignore (Ivar.fill alone.ended () : bool)

let cancel_alone alone (failure : Failure.t) = Token.cancel alone.token (Gather.reason failure.exn)

let rec alone_of t =
  match Atomic.get t.alone with
  | Some alone -> alone
  | None ->
      let token = Token.scope t.context.token in
      let alone = { parts = Atomic.make 1; ended = Ivar.create (); token } in
      if Atomic.compare_and_set t.alone None (Some alone) then begin
        ignore (Token.start token : bool);
        alone
      end
      else alone_of t

(* The outcome of a part on its own is for nobody: a failure goes to [gather]. *)
let end_piece t alone = function
  | Ok _ -> ()
  | Error failure ->
      Gather.add t.gather failure;
      cancel_alone alone failure

let part_alone t go start stop =
  let alone = alone_of t in
  let token = Token.task alone.token in
  let part () =
    Gather.check t.gather;
    Task.poll ();
    go t start stop
  in
  let context = { t.context with token } in
  let body () =
    Task.enter context;
    end_piece t alone (Task.let_go (Failure.catch part));
    end_alone alone;
    Token.finish token
  in
  Atomic.incr alone.parts;
  Job.task body

let part_to_join t run context go start stop =
  let job = Job.part (Context.fork context) (fun () -> go t start stop) in
  run.given <- { job; first = start; behind = stop } :: run.given;
  Job.Job job

(* A rest that leaves a suspended task goes behind what is in the deque: that may be what it waits
   for, and iterations that all wait should not all start before. *)
let give_part t run context go (w : Worker.t) ~all =
  let n = rest run.loop in
  let part = if all then n else Int.max t.grain (n - (n / 2)) in
  part > 0 && part <= n
  && begin
    let stop = run.loop.stop in
    let first = stop - part in
    run.loop.stop <- first;
    if run.loop.until > first then Fork_stack.set_until w run.loop first;
    if all && not t.joins_all then Fork_stack.put_behind w (part_alone t go first stop)
    else begin
      let job = part_to_join t run context go first stop in
      if all then Fork_stack.put_behind w job else Deque.push w.deque job
    end;
    true
  end

(* Iterations ahead (see [Ahead]). Each is in a run of its own, which has no rest. *)

let single run i = { run with loop = Worker.create_loop (i + 1) (i + 1); given = []; ahead = None }

(* One that has left its chain is on its own; together with the run they count as one part. *)
let end_ahead alone ahead =
  if Atomic.fetch_and_add ahead.left (-1) = 1 then begin
    Token.finish ahead.begun.parent;
    end_alone alone
  end

let create_ahead t run =
  let alone = alone_of t in
  let parent = Token.begin_task ignore alone.token and left = Atomic.make 1 in
  Atomic.incr alone.parts;
  let steps i =
    Task.poll ();
    t.steps t (single run i) i
  in
  let rec iteration (place : Ahead.place) =
    let outcome =
      match steps place.index with _ -> Ok () | exception exn -> Error (Failure.caught exn)
    in
    end_piece t alone (Task.let_go outcome);
    Token.finish (Worker.here ()).context.token;
    if place.has_left then end_ahead alone ahead
  and leave () = Atomic.incr left
  and ahead = { begun = { context = t.context; parent; iteration; leave }; left } in
  ahead

let ahead_of t run =
  match run.ahead with
  | Some ahead -> ahead.begun
  | None ->
      let ahead = create_ahead t run in
      run.ahead <- Some ahead;
      ahead.begun

(* [run] has ended. *)
let leave_ahead t run =
  match run.ahead with None -> () | Some ahead -> end_ahead (alone_of t) ahead

(* A chain that takes long to end may do so because of a collection, so that counts as eight that do
   not. *)

let full_trust = 32

let judge t =
  t.trust <- (if Ahead.ended_soon () then Int.min full_trust (t.trust + 1) else t.trust - 8)

(* Thieves that ask are answered as between two iterations. The iteration that waits may be followed
   by another than it believes. *)
let give_next t run (w : Worker.t) =
  let loop = run.loop in
  if Fork_stack.is_asked loop then begin
    Worker.pass_point w;
    Fork_stack.calm_loops w;
    if Fork_stack.give w then Team.notify w.team
  end;
  t.trust > 0
  && w.context.batches == t.context.batches
  && (not (Gather.has_failed t.gather))
  && loop.next <> loop.stop
  && begin
    let i = loop.next in
    loop.next <- i + 1;
    loop.has_moved <- true;
    if loop.until > Worker.moved then Fork_stack.set_until w loop Worker.moved;
    Ahead.run w (ahead_of t run) i;
    if not (Ahead.is_in_chain ()) then judge t;
    true
  end

let give t run context go w : Worker.portion -> bool = function
  | All -> give_part t run context go w ~all:true
  | Half -> give_part t run context go w ~all:false
  | Next -> give_next t run w

(* What a part would have run, if nobody has taken it. *)
let take_back job =
  if Job.claim job then begin
    Fork_stack.drop (Worker.here ()) (Job.Job job);
    Some (Job.take_body job)
  end
  else None

(* [run] has no iterations left: it goes on with the next part, if nobody has taken that. *)
let reclaim run =
  match run.given with
  | [] -> false
  | { job; first; behind } :: later ->
      Option.is_some (take_back job)
      && begin
        let w = Worker.here () in
        leave run.loop;
        run.loop.next <- first;
        run.loop.stop <- behind;
        run.loop.until <- behind;
        enter w run.loop;
        (* Who asked for it may sleep by now. *)
        if not (Sleepers.is_empty w.team.sleepers) then Worker.ask_loop run.loop;
        run.worker <- w;
        run.given <- later;
        true
      end

(* Whether there are more iterations, from [next] on. To be called between two of them when [next]
   is not below [until]. *)
let more t run =
  let loop = run.loop in
  loop.next < loop.until
  || loop.next <> loop.stop
     && begin
       let w = Worker.here () in
       let was_asked = Fork_stack.is_asked loop in
       Worker.pass_point w;
       loop.has_moved <- false;
       (* First this: who asks afterwards is heard. *)
       Fork_stack.calm_loops w;
       Gather.check t.gather;
       Token.poll w.context.token.fiber;
       if (not was_asked) || Fork_stack.give w then Team.notify w.team;
       loop.next <> loop.stop
     end
  || reclaim run

let forget_part reason { job; _ } =
  if Option.is_none (take_back job) then ignore (Fork_join.give_up job reason : _ result)

(* The result of a part, which its giver runs itself if nobody has taken it. *)
let join_part job =
  match take_back job with Some body -> body () | None -> Failure.get (Fork_join.await_stolen job)

let rec join_parts t share = function
  | [] -> share
  | { job; _ } :: later -> (
      match Gather.last_piece t.gather (fun () -> t.combine share (join_part job)) with
      | share -> join_parts t share later
      | exception (Gather.Skipped _ as skipped) ->
          List.iter (forget_part skipped) later;
          raise_notrace skipped)

(* Whoever is asked looks at [gather] too. *)
let ask_all () = Array.iter Worker.ask_loops (Worker.here ()).team.members

let rec go : 'a. 'a t -> int -> int -> 'a =
 fun t next stop ->
  (* The first iteration is not for others: there must be a share. *)
  let loop = Worker.create_loop (next + 1) stop in
  let worker = Worker.here () in
  let run = { loop; worker; given = []; ahead = None } in
  loop.give <- give t run worker.context go;
  enter worker loop;
  match
    Gather.check t.gather;
    t.steps t run next
  with
  | share ->
      leave loop;
      leave_ahead t run;
      join_parts t share run.given
  | exception exn ->
      let failure = Failure.caught exn in
      leave loop;
      leave_ahead t run;
      Gather.add t.gather failure;
      ask_all ();
      List.iter (forget_part exn) run.given;
      Gather.skip t.gather

(* All of start .. finish, which is not empty. An interval of more than [max_int] integers is halved
   first, and [max_int] is taken by itself, so that the end of what is divided is above the rest. *)
let rec cover : 'a. 'a t -> int -> int -> 'a =
 fun t start finish ->
  let is_long = finish - start < 0 || finish - start = max_int in
  if start = finish || not (is_long || finish = max_int) then go t start (finish + 1)
  else
    let middle =
      if is_long then (start land finish) + ((start lxor finish) asr 1) else finish - 1
    in
    let a, b =
      Fork_join.both (fun () -> cover t start middle) (fun () -> cover t (middle + 1) finish)
    in
    Gather.piece t.gather (fun () -> t.combine a b)

(* Waits for the parts on their own, the call having ended. Such a part may fail when the call has
   succeeded. *)
let join_alone alone gather outcome =
  Result.iter_error (cancel_alone alone) outcome;
  end_alone alone;
  if Option.is_none (Ivar.peek alone.ended) then
    Waiter.wait_for_end (Ivar.on_fill alone.ended) ~cancel:(Token.cancel alone.token);
  Token.finish alone.token;
  Gather.check gather;
  Failure.get outcome

(* The call has ended, but not its parts on their own; or it has failed. *)
let conclude t outcome =
  Gather.finish t.gather (fun () ->
      match Atomic.get t.alone with
      | None -> Failure.get outcome
      | Some alone -> join_alone alone t.gather outcome)

let run_inside (w : Worker.t) ~joins_all ~grain ~combine ~steps ~start ~finish =
  let gather = Gather.create () and alone = Atomic.make None in
  let trust = if joins_all then 0 else full_trust in
  let t = { gather; grain; steps; combine; context = w.context; joins_all; trust; alone } in
  match cover t start finish with
  | share -> if Option.is_none (Atomic.get alone) then share else conclude t (Ok share)
  | exception exn -> conclude t (Error (Failure.caught exn))

let run_anywhere ~joins_all ~grain ~combine ~steps ~start ~finish =
  match Worker.mine () with
  | Some w when Debug.is_on ->
      Worker.within (Context.started_here w.context) (fun () ->
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
