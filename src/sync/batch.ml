(* Batch: single operations, applied together.

   Whoever finds the object at rest applies its own operation, as a batch of one. What comes
   meanwhile is queued, and its submitters wait: an iteration of a loop by beginning the next one
   (see [Ahead]), others asleep. When a batch has ended and operations are queued, a task is
   launched that applies those, batch after batch. If it has not started yet, a submitter does so in
   its place: the next one, with its own operation, if there are but few of them; or else the first
   that would fall asleep.

   The batch function runs in a context of the object's own. So the cancellation of a submitter
   never goes into it; what it starts counts as part of a batch, and goes before other work; and an
   operation that it submits to its own object, which would never end, is seen.

   Who is queued is in a batch for certain, whether its task is cancelled meanwhile or not: so an
   operation that has come to its end was applied. *)

(* Awake --sleep--> Asleep --wake--> Served
     |                                 ^
     +--wake---------------------------+ *)
type wait = Awake | Asleep of Task.sleeper | Served

type 'op entry = {
  op : 'op;
  mutable wait : wait; [@atomic]
  since : float;
  mutable failure : Failure.t option;
}

type policy = At_once | When_idle

type metrics = Batch_tally.metrics = {
  batches : int;
  operations : int;
  sizes : int array;
  waiting : float;
  running : float;
}

type 'op t = {
  id : int;
  run : 'op array -> unit;
  applied : 'op -> bool;
  pool : Pool.t option;
  max : int;
  policy : policy;
  queue : 'op entry Batch_queue.t;
  mutable context : Context.t; (* the server's, too *)
  (* Whether a task that will serve has been launched, or put where idle workers look. *)
  is_launched : bool Atomic.t;
  is_put_off : bool Atomic.t;
  (* The server's: *)
  mutable thread : int; (* that runs the function outside any task *)
  tally : Batch_tally.t;
}

let next_id = Atomic.make 0

let create ?pool ?(max = 256) ?(policy = At_once) ?(timed = false) ?(applied = fun _ -> false) run =
  if max < 1 then invalid_arg "Drover.Batch.create: max < 1";
  let id = Atomic.fetch_and_add next_id 1 in
  {
    id;
    run;
    applied;
    pool;
    max;
    policy;
    queue = Batch_queue.create ();
    context = { (Context.independent Context.none) with batches = [ id ] };
    is_launched = Atomic.make false;
    is_put_off = Atomic.make false;
    thread = -1;
    tally = Batch_tally.create ~timed;
  }

let metrics t = Batch_tally.metrics t.tally

(* One batch. The caller serves. *)

let run_outside t ops =
  t.thread <- Thread.id (Thread.self ());
  Fun.protect (fun () -> t.run ops) ~finally:(fun () -> t.thread <- -1)

(* A function of the user's that is called in a batch may cancel it, now or later (by
   [Scope.canceller]). That is not for the next batch. *)
let context_of_next t =
  if not (Token.is_unknown t.context.token) then begin
    Token.finish t.context.token;
    t.context <- Context.independent t.context
  end;
  t.context

(* A batch may be part of another object's. *)
let context_in (w : Worker.t) t =
  let context = context_of_next t in
  match w.context.batches with
  | [] -> context
  | outer -> { context with batches = t.id :: outer; urgent = w.context.urgent }

(* A task that was launched for it has a context of that kind already. *)
let run_in (w : Worker.t) t ops =
  match w.context with
  | { batches = [ id ]; token; _ } when id = t.id && Token.is_unknown token -> t.run ops
  | _ -> Worker.apart w (context_in w t) t.run ops

let run_here t ops =
  match Worker.mine () with Some w -> run_in w t ops | None -> run_outside t ops

let run_batch t ops =
  Batch_tally.begins t.tally (Array.length ops);
  if t.tally.timed then Batch_tally.timed t.tally (fun () -> run_here t ops) else run_here t ops

let has_result t op = try t.applied op with _ -> false

(* A failure of which no operation can be told is reported, as that of a task. *)
let fail t entries failure =
  let tell entry = if not (has_result t entry.op) then entry.failure <- Some failure in
  Array.iter tell entries;
  if Array.for_all (fun entry -> Option.is_none entry.failure) entries then Failure.report failure

let apply t entries =
  Batch_tally.waited t.tally (fun entry -> entry.since) entries;
  let ops = Young.map (fun entry -> entry.op) entries in
  Result.iter_error (fail t entries) (Failure.catch (fun () -> run_batch t ops))

(* The step to Served publishes what the batch did; pairs with [is_served]. *)
let wake entries =
  let tell entry sleepers =
    match Atomic.Loc.exchange [%atomic.loc entry.wait] Served with
    | Asleep sleeper -> sleeper :: sleepers
    | Awake | Served -> sleepers
  in
  let sleepers = Array.fold_right tell entries [] in
  Task.wake_all (Young.of_list (List.length sleepers) sleepers)

let serve_some t =
  let entries = Batch_queue.take t.queue ~max:t.max in
  apply t entries;
  wake entries

(* Who serves next *)

let is_due t left = match t.policy with At_once -> true | When_idle -> left >= t.max

let rec serve t =
  if Batch_queue.enter t.queue then begin
    serve_some t;
    let left = Batch_queue.leave t.queue in
    if left > 0 then if is_due t left then serve t else put_off t
  end

(* Starts a task by [add], unless one is on its way. A pool that is closed or has no domain leaves it
   to the pool of the caller, if that is a task, or to the caller. *)
and start t flag add begin_batch =
  if not (Atomic.exchange flag true) then begin
    let body pool context () =
      Task.enter context;
      begin_batch pool;
      (* First this and then the look at the queue: who finds the flag set has left items there. *)
      Atomic.set flag false;
      serve t;
      Team.end_batch pool;
      Task.count_end context
    in
    let start_in pool =
      let context = { (Context.independent t.context) with urgent = true } in
      let is_served = Pool.is_inside pool || Caller.serve pool in
      match if is_served then Task.create pool (body pool context) else None with
      | Some job ->
          add pool job;
          true
      | None -> false
    in
    let ambient = Pool.ambient () in
    if not (start_in (Option.value t.pool ~default:ambient) || start_in ambient) then begin
      Atomic.set flag false;
      serve t
    end
  end

and launch t = start t t.is_launched Team.add_batch ignore
and put_off t = start t t.is_put_off Team.add_later Team.begin_batch

let leave t =
  let left = Batch_queue.leave t.queue in
  if left > 0 then if is_due t left then launch t else put_off t

(* The operation of the caller, who serves. *)
let apply_own t op =
  match run_batch t [| op |] with
  | () -> leave t
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      leave t;
      let failure = { Failure.exn; backtrace; seen = ref false } in
      if has_result t op then Failure.report failure else Failure.raise failure

let create_entry t op = { op; wait = Awake; since = Batch_tally.now t.tally; failure = None }

(* A few operations that nobody has begun to apply are not worth a task: whoever comes by takes them
   along. *)
let few = 4

let apply_with_few t op =
  let entries = Batch_queue.take t.queue ~max:few and own = create_entry t op in
  apply t (Array.append entries [| own |]);
  wake entries;
  leave t;
  Option.iter Failure.raise own.failure

(* Waiting *)

let check_not_inside t =
  let inside =
    match Worker.mine () with
    | Some w -> List.mem t.id w.context.batches
    | None -> t.thread = Thread.id (Thread.self ())
  in
  if inside then invalid_arg "Drover.Batch.submit: called from the object's own batch function"

let is_served entry = Atomic.Loc.get [%atomic.loc entry.wait] == Served

(* Where the queue is full already, this worker had better help than add to it. *)
let join_crowd t =
  if Batch_queue.length t.queue >= t.max then
    Option.iter (fun (w : Worker.t) -> w.crowds <- true) (Worker.mine ())

let sleep t entry =
  join_crowd t;
  Ahead.sleep t.id (fun sleeper ->
      if not (Atomic.Loc.compare_and_set [%atomic.loc entry.wait] Awake (Asleep sleeper)) then
        Task.wake sleeper)

(* In the place of a task that was launched for it. What the caller has begun is for others
   meanwhile. *)
let serve_inside (w : Worker.t) t =
  Fork_stack.publish_all w;
  Team.begin_batch w.team;
  Worker.within { (context_in w t) with urgent = true } (fun () -> serve_some t);
  Team.end_batch w.team

let serve_waiting t =
  Option.iter (fun w -> serve_inside w t) (Worker.mine ());
  leave t

let is_in_pool t =
  match t.pool with Some pool -> Pool.is_inside pool | None -> Option.is_some (Worker.mine ())

(* Whether the caller, which would wait, serves now, as nobody does. *)
let enter_waiting t = t.policy = At_once && is_in_pool t && Batch_queue.enter t.queue

let rec await t entry =
  if not (is_served entry) then begin
    if not (Ahead.begin_next t.id) then if enter_waiting t then serve_waiting t else sleep t entry;
    await t entry
  end

let wait t op =
  check_not_inside t;
  Task.poll ();
  let entry = create_entry t op in
  match Batch_queue.enter_or_add t.queue ~enough:t.max entry with
  | Entered -> apply_own t op
  | (Queued | Enough) as added ->
      if added = Enough then launch t;
      await t entry;
      Ahead.go_on ();
      Option.iter Failure.raise entry.failure

(* A short batch ends sooner than a task is suspended and resumed. Meanwhile a look at the queue
   takes it from the cache of the worker that uses it, so there are few. Kernel: counter. *)
let first_pause = 16
let last_pause = 128

let rec pause n =
  if n > 0 then begin
    Domain.cpu_relax ();
    pause (n - 1)
  end

let rec contend t op n =
  if Batch_queue.enter_if_free t.queue then apply_own t op
  else if Batch_queue.enter t.queue ~most:(Int.min few (t.max - 1)) then apply_with_few t op
  else if n <= last_pause && Batch_queue.is_busy t.queue then begin
    pause n;
    contend t op (2 * n)
  end
  else wait t op

(* Alone in a pool, one cannot expect that a batch goes on. *)
let is_alone () = Array.length (Worker.here ()).team.members = 1

let submit t op =
  if Batch_queue.enter_if_free t.queue then apply_own t op
  else contend t op (if is_alone () then last_pause + 1 else first_pause)
