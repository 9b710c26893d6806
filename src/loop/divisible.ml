(* Divisible: loops that others help with while they run.

   A loop takes its iterations one after the other, as a [for] does, and makes no job before
   somebody wants one. It stands in its worker's list of loops with what is left of it, [next] ..
   [stop - 1], and gives parts of that away.

   Between two iterations, when thieves see too little, the outermost loop that has a rest gives the
   upper half of it (lazy binary splitting, Tzannes et al., PPoPP 2010). In the middle of an
   iteration, when a thief got no answer for some time, it gives all of the rest (see [Ticker]).
   When an iteration suspends, it gives all of the rest too, so that only the loop's end waits.

   Then the loop goes on with the leftmost part, in place, as long as nobody has taken that, and
   joins the others from left to right. But where a loop has no result, the rest that a suspended
   iteration leaves is on its own: it is counted, and only the call of the loop waits for it. Were
   it joined, every iteration that has suspended would stay until the last one.

   [stop - next] counts the rest even when the indices wrap around, so any interval of at most
   [max_int] will do.

   The parts fail together (see [Gather]). Whoever fails asks all workers for attention, as a thief
   would; so a loop pays for both with one comparison an iteration. *)

type 'a run = {
  mutable next : int;
  mutable stop : int;
  mutable patience : int;
  mutable worker : Worker.t; (* that runs it *)
  mutable given : 'a part list; (* to be joined, leftmost first *)
  mutable self : Worker.loop; (* what stands in the worker's list *)
}

and 'a part = { job : 'a Job.job; first : int; behind : int (* the last one *) }

(* The parts on their own: how many have not ended, the call of the loop included, and what cancels
   them. *)
type alone = { parts : int Atomic.t; ended : unit Ivar.t; context : Context.t }

(* What one call of a loop is made of. [steps t run i] takes [i] and then all iterations of [run],
   and is their share of the result. *)
type 'a t = {
  gather : Gather.t;
  grain : int;
  steps : 'a t -> 'a run -> int -> 'a;
  combine : 'a -> 'a -> 'a;
  alone : alone option; (* of a loop without a result *)
}

let rest run = run.stop - run.next

(* A loop that ends sooner than a thief could help must not be offered, or it would be the slower
   for it. So between two iterations it gives only when it has done this many, or when the first
   took this long. A longer loop wakes a sleeper at once, but seldom, as a short one does so in
   vain. Kernels: for-tiny, nbody-planets. *)

let first_iterations = 32
let long_iteration = 0.5e-6 (* seconds *)
let seldom = 200e-6 (* seconds *)

(* To be called between two iterations when a worker's limit is 0: somebody wants attention. If the
   iteration suspended, that may not be the worker that runs the loop now. *)
let attend t run =
  Gather.check t.gather;
  let w = Worker.here () in
  Token.poll w.context.token.fiber;
  if Array.length w.team.members = 1 then Fork_stack.calm w
  else if run.patience > 0 then run.patience <- run.patience - 1
  else begin
    if Fork_stack.give_half w then Team.notify w.team;
    Fork_stack.set_limit w
  end

let wake_sleeper (w : Worker.t) now =
  if (not (Sleepers.is_empty w.team.sleepers)) && now -. w.woke > seldom then begin
    w.woke <- now;
    Team.notify w.team
  end

(* [first t run f] is [f ()], the first iteration of a run, which tells how long they are. *)
let first t run f =
  let w = run.worker in
  if w.limit <> 0 || Array.length w.team.members = 1 then f ()
  else begin
    let start = Unix.gettimeofday () in
    wake_sleeper w start;
    let result = f () in
    if Unix.gettimeofday () -. start > long_iteration then run.patience <- 0;
    attend t run;
    result
  end

(* Parts that were given away *)

let enter (w : Worker.t) loop = w.loops <- loop :: w.loops

(* If the task was suspended meanwhile, the loop is in nobody's list any more. *)
let leave loop =
  let w = Worker.here () in
  match w.loops with l :: loops when l == loop -> w.loops <- loops | _ -> ()

let end_alone alone =
  if Atomic.fetch_and_add alone.parts (-1) = 1 then ignore (Ivar.fill alone.ended () : bool)

let cancel_alone alone (failure : Failure.t) = Token.cancel alone.context.token failure.exn

(* Its outcome is for nobody: a failure is in [gather]. *)
let part_alone t alone go start stop =
  let part () =
    Gather.piece t.gather Task.poll;
    let outcome = Task.let_go (Failure.catch (fun () -> go t start stop)) in
    Gather.last_piece t.gather (fun () -> Failure.get outcome)
  in
  let body () =
    Result.iter_error (cancel_alone alone) (Failure.catch part);
    end_alone alone
  in
  Atomic.incr alone.parts;
  ignore (Token.start alone.context.token : bool);
  Job.Job (Job.task (Context.task alone.context) body)

let part_to_join t run context go start stop =
  let job = Job.task (Context.fork context) (fun () -> go t start stop) in
  run.given <- { job; first = start; behind = stop } :: run.given;
  Job.Job job

(* A rest that leaves a suspended task goes behind what is in the deque: that may be what it waits
   for, and iterations that all wait should not all start before. *)
let put_behind (w : Worker.t) job =
  if Deque.is_empty w.deque then Deque.push w.deque job else Inbox.add w.team.inbox job

let give_part t run context go (w : Worker.t) ~all =
  let n = rest run in
  let part = if all then n else Int.max t.grain (n - (n / 2)) in
  part > 0 && part <= n
  && begin
    let stop = run.stop in
    run.stop <- stop - part;
    (match t.alone with
    | Some alone when all -> put_behind w (part_alone t alone go run.stop stop)
    | Some _ | None ->
        let job = part_to_join t run context go run.stop stop in
        if all then put_behind w job else Deque.push w.deque job);
    true
  end

(* What a part would have run, if nobody has taken it. *)
let take_back job =
  if Job.claim job then begin
    Fork_stack.drop_task (Worker.here ()) (Job.Job job);
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
        leave run.self;
        enter w run.self;
        run.worker <- w;
        run.given <- later;
        run.next <- first;
        run.stop <- behind;
        true
      end

let forget_part { job; _ } =
  if Option.is_none (take_back job) then Fork_join.give_up job Gather.Skipped

(* The result of a part, which its giver runs itself if nobody has taken it. *)
let join_part job =
  match take_back job with Some body -> body () | None -> Failure.get (Fork_join.await_stolen job)

let rec join_parts t share = function
  | [] -> share
  | { job; _ } :: later -> (
      match Gather.last_piece t.gather (fun () -> t.combine share (join_part job)) with
      | share -> join_parts t share later
      | exception Gather.Skipped ->
          List.iter forget_part later;
          raise_notrace Gather.Skipped)

(* Whoever waits for attention looks at [gather] too. *)
let ask_attention () = Array.iter (fun (v : Worker.t) -> v.limit <- 0) (Worker.here ()).team.members

let rec go : 'a. 'a t -> int -> int -> 'a =
 fun t next stop ->
  let worker = Worker.here () and self = { Worker.give = (fun _ ~all:_ -> false) } in
  (* The first iteration is not for others: there must be a share. *)
  let run = { next = next + 1; stop; patience = first_iterations; worker; given = []; self } in
  run.self <- { give = give_part t run worker.context go };
  enter worker run.self;
  match Gather.piece t.gather (fun () -> t.steps t run next) with
  | share ->
      leave run.self;
      join_parts t share run.given
  | exception Gather.Skipped ->
      leave run.self;
      ask_attention ();
      List.iter forget_part run.given;
      raise_notrace Gather.Skipped

(* All of start .. finish, which is not empty. An interval of more than [max_int] integers is halved
   first. *)
let rec cover : 'a. 'a t -> int -> int -> 'a =
 fun t start finish ->
  if finish - start >= 0 && finish - start < max_int then go t start (finish + 1)
  else
    let middle = (start land finish) + ((start lxor finish) asr 1) in
    let a, b =
      Fork_join.both (fun () -> cover t start middle) (fun () -> cover t (middle + 1) finish)
    in
    Gather.piece t.gather (fun () -> t.combine a b)

let run ~grain ~combine ~steps ~start ~finish =
  Pool.inside (fun () ->
      Gather.run (fun gather -> cover { gather; grain; steps; combine; alone = None } start finish))

(* Waits for the parts on their own, the call having ended. Such a part may fail when the call has
   succeeded. *)
let join_alone alone gather outcome =
  Result.iter_error (cancel_alone alone) outcome;
  end_alone alone;
  if Option.is_none (Ivar.peek alone.ended) then Task.wait (Ivar.on_fill alone.ended);
  Token.finish alone.context.token;
  Gather.check gather;
  Failure.get outcome

(* The same without results. *)
let run_unit ~grain ~steps ~start ~finish =
  let run gather =
    let here = Task.context () in
    let context = { here with token = Token.scope here.token } in
    let alone = { parts = Atomic.make 1; ended = Ivar.create (); context } in
    let t = { gather; grain; steps; combine = (fun () () -> ()); alone = Some alone } in
    join_alone alone gather (Failure.catch (fun () -> cover t start finish))
  in
  Pool.inside (fun () -> Gather.run run)
