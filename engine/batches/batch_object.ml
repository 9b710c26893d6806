(* Batch object.

   Whatever raises (see [Critical]): a server that has entered leaves; what it was about to apply
   stays queued until the function is called; from that call on the batch is brought to its end,
   so that its submitters learn of it and are woken. Each of these second halves can be repeated.

   The batch function runs in a context of the object's own. So the cancellation of a submitter
   never goes into it; what it starts counts as part of a batch, and goes before other work; and
   an operation that it submits to its own object, which would never end, is seen. *)

type policy = At_once | When_idle

type 'op t = {
  id : int;
  run : 'op array -> unit;
  applied : 'op -> bool;
  pool : Pool.t option;
  max : int;
  policy : policy;
  queue : 'op Batch_entry.t Batch_queue.t;
  launched : Worker.team Atomic.t;
  put_off : Worker.team Atomic.t;
  spent : float Atomic.t;
  tally : Batch_tally.t;
  (* The server's: *)
  mutable context : Context.t;
  mutable thread : int;
      (* that serves outside any task; others compare it with their own number, which only they
         write: so it is plain *)
}

let no_thread = -1
let no_team = Worker.nobody.team
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
    launched = Atomic.make no_team;
    put_off = Atomic.make no_team;
    spent = Atomic.make 0.;
    tally = Batch_tally.create ~timed;
    context = { (Context.independent Context.none) with batches = [ id ] };
    thread = no_thread;
  }

let create_entry t op = Batch_entry.create op ~since:(Batch_tally.now t.tally)

(* Entering and leaving *)

let[@inline] number = function
  | Some (_ : Worker.t) -> no_thread
  | None -> Thread.id (Thread.self ())

let[@inline] enter_if_free t me =
  Batch_queue.enter_if_free t.queue
  && begin
    t.thread <- me;
    true
  end

let enter ?most t me =
  Batch_queue.enter ?most t.queue
  && begin
    t.thread <- me;
    true
  end

(* While it serves, a thread must not wait for itself, not even in a finaliser: so it forgets its
   number in the step that leaves. *)

let[@poll error] leave_by t exit =
  let me = t.thread in
  t.thread <- no_thread;
  Batch_queue.leave_by t.queue exit
  || begin
    t.thread <- me;
    false
  end

let[@inline] leave_if_empty t =
  let me = t.thread in
  t.thread <- no_thread;
  Batch_queue.leave_if_empty t.queue
  || begin
    t.thread <- me;
    false
  end

let rec leave_queue t = if not (leave_by t (Batch_queue.exit t.queue)) then leave_queue t

(* One batch. The caller serves. *)

(* A function of the user's that is called in a batch may cancel it, now or later (by
   [Scope.canceller]). That is not for the next batch. *)
let[@inline] context_of_next t =
  if not (Token.is_unknown t.context.token) then begin
    Token.finish t.context.token;
    t.context <- Context.independent t.context
  end;
  t.context

(* A batch may be part of another object's. *)
let[@inline] context_in (w : Worker.t) t =
  let context = context_of_next t in
  match w.context.batches with
  | [] -> context
  | outer -> { context with batches = t.id :: outer; urgent = w.context.urgent }

(* A task that was launched for it has a context of that kind already. *)
let[@inline] run_in (w : Worker.t) t f x =
  match w.context with
  | { batches = [ id ]; token; _ } when id = t.id && Token.is_unknown token -> f x
  | _ -> Current.apart w (context_in w t) f x

let[@inline] run_here t w f x = match w with Some w -> run_in w t f x | None -> f x

let run_batch t w n f x =
  Batch_tally.begins t.tally n;
  if t.tally.timed then Batch_tally.timed t.tally (fun () -> run_here t w f x) else run_here t w f x

let has_result t op = try t.applied op with _ -> false

(* Operations that were queued *)

type 'op batch = {
  obj : 'op t;
  entries : 'op Batch_entry.t array;
  ops : 'op array;
  queued : int; (* of the entries: the last may be the server's own *)
  mutable has_begun : bool;
  mutable has_failed : bool; (* with the following *)
  mutable exn : exn;
  mutable backtrace : Printexc.raw_backtrace;
  mutable is_told : bool; (* to those whose operations have failed *)
}

let no_backtrace = Printexc.get_callstack 0

let create_batch t entries ~queued =
  {
    obj = t;
    entries;
    ops = Young.map Batch_entry.op entries;
    queued;
    has_begun = false;
    has_failed = false;
    exn = Exit;
    backtrace = no_backtrace;
    is_told = false;
  }

let[@poll error] begin_batch b =
  Batch_queue.drop b.obj.queue b.queued;
  b.has_begun <- true

let[@poll error] fail_batch b exn backtrace =
  b.exn <- exn;
  b.backtrace <- backtrace;
  b.has_failed <- true

let run_begun b =
  begin_batch b;
  b.obj.run b.ops

(* A failure of which no operation can be told is reported, as that of a task. *)
let tell b =
  let failure = { Failure.exn = b.exn; backtrace = b.backtrace; seen = ref false } in
  let tell entry =
    if not (has_result b.obj (Batch_entry.op entry)) then Batch_entry.fail entry failure
  and is_well entry = Option.is_none (Batch_entry.failure entry) in
  Array.iter tell b.entries;
  if Array.for_all is_well b.entries then Failure.report failure;
  b.is_told <- true

let add_called entry waiters = Option.to_list (Batch_entry.to_wake entry) @ waiters

(* What follows when the function has been called. Can be repeated. *)
let conclude b =
  if b.has_failed && not b.is_told then tell b;
  Array.iter Batch_entry.publish b.entries;
  let waiters = Array.fold_right add_called b.entries [] in
  List.iter (fun waiter -> ignore (Waiter.wake waiter : bool)) waiters

let apply t w b =
  match
    Batch_tally.waited t.tally Batch_entry.since b.entries;
    run_batch t w (Array.length b.ops) run_begun b
  with
  | () -> Critical.finish_with conclude b
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      if b.has_begun then begin
        fail_batch b exn backtrace;
        Critical.finish_with conclude b
      end
      else Printexc.raise_with_backtrace exn backtrace

let serve_some t w =
  let entries = Batch_queue.oldest t.queue ~max:t.max in
  apply t w (create_batch t entries ~queued:(Array.length entries))
