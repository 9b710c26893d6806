(* Batch object.

   The batch function runs in a context of the object's own, outside of the server's section. So the
   cancellation of a submitter never goes into it; what it starts counts as part of a batch, and goes
   before other work; and an operation that it submits to its own object, which would never end, is
   seen. *)

type lane = Nowhere | Behind | First
type tally = { mutable operations : int; sizes : int array }

type 'op t = {
  id : int;
  one : ('op -> bool) option;
  run : 'op array -> unit;
  applied : 'op -> bool;
  pool : Pool.t option;
  max : int;
  queue : 'op Batch_entry.t Batch_queue.t;
  lane : lane Atomic.t;
  tally : tally;
  mutable context : Context.t;
  mutable spent : float;
  mutable thread : int;
  mutable stack : int;
      (* others compare these with their own numbers, which only they write: so they are plain *)
}

let no_thread = -1
let no_stack = -1
let next_id = Atomic.make 0

let create ?pool ?(max = 256) ?(applied = fun _ -> false) ?one run =
  if max < 1 then invalid_arg "Drover.Batch.create: max < 1";
  let id = Atomic.fetch_and_add next_id 1 in
  let sizes = Array.make Sys.int_size 0 in
  {
    id;
    one;
    run;
    applied;
    pool;
    max;
    queue = Batch_queue.create ();
    lane = Atomic.make Nowhere;
    tally = { operations = 0; sizes };
    context = { (Context.independent Context.none) with batches = [ id ] };
    spent = 0.;
    thread = no_thread;
    stack = no_stack;
  }

(* The fibers of a host's thread are not told apart. *)
let check_not_inside t =
  let is_inside =
    t.stack = This_thread.stack ()
    ||
    match Worker.mine () with
    | Some w -> List.mem t.id w.context.batches
    | None -> t.thread = Thread.id (Thread.self ()) && not (Host.is_here ())
  in
  if is_inside then invalid_arg "Drover.Batch.submit: called from the object's own batch function"

(* The server *)

let[@inline] begin_service t = function
  | Some (_ : Worker.t) -> ()
  | None -> t.thread <- Thread.id (Thread.self ())

let[@inline] end_service t =
  t.thread <- no_thread;
  Batch_queue.stop_serving t.queue

let begin_slice t = t.spent <- 0.

(* What the batch function has locked, and not unlocked, is the caller's then. *)
let[@inline] end_batch w (context : Context.t) (before : Context.t) =
  Section.end_user_code (Worker.here ());
  Worker.return_to w before;
  Token.hand_on context.token before.token

let run_in (w : Worker.t) t ops =
  let before = w.context in
  (* A function of the user's that is called in a batch may cancel it, now or later (by
     [Drover_bridge.canceller]). That is not for the next batch. *)
  if not (Token.is_unknown t.context.token) then begin
    Token.finish t.context.token;
    t.context <- Context.independent t.context
  end;
  let context =
    match before with
    | { batches = []; urgent = false; _ } -> t.context
    | { batches; urgent; _ } ->
        (* It is part of another object's batch, or of a task that was launched for it. *)
        { t.context with batches = t.id :: batches; urgent }
  in
  Worker.run_in w context;
  Section.begin_user_code w;
  match t.run ops with
  | () -> end_batch w context before
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      end_batch w context before;
      Printexc.raise_with_backtrace exn backtrace

let run_batch t w ops =
  let rec log2 n = if n < 2 then 0 else 1 + log2 (n / 2) in
  let n = Array.length ops and { operations; sizes } = t.tally in
  let size = log2 n in
  t.tally.operations <- operations + n;
  sizes.(size) <- sizes.(size) + 1;
  Events.tell Events.batch n;
  match w with Some w -> run_in w t ops | None -> t.run ops

(* What the handler of a signal raises while an object is served must not keep it: so what happens between
   the entry of its queue and the end of the service raises nothing, or may be begun again. *)

let has_result t op = try t.applied op with _ -> false

(* It is the operation's, unless that has its result. Raises nothing. *)
let failure_of t op exn =
  let failure = Failure.caught exn in
  if has_result t op then begin
    Failure.report failure;
    Failure.none
  end
  else failure

let apply_alone t w op =
  begin_service t w;
  let failure =
    match run_batch t w [| op |] with () -> Failure.none | exception exn -> failure_of t op exn
  in
  t.thread <- no_thread;
  failure

let[@inline] count_one t =
  let tally = t.tally in
  tally.operations <- tally.operations + 1;
  tally.sizes.(0) <- tally.sizes.(0) + 1

(* As under a lock: in the submitter's context, and without an event. *)
let[@inline] apply_by one t w op =
  t.stack <- This_thread.stack ();
  match one op with
  | is_applied ->
      t.stack <- no_stack;
      if is_applied then begin
        count_one t;
        Failure.none
      end
      else apply_alone t w op
  | exception exn ->
      t.stack <- no_stack;
      count_one t;
      failure_of t op exn

let[@inline] apply_one t w op =
  match t.one with Some one -> apply_by one t w op | None -> apply_alone t w op

(* A failure is that of the operations without a result. Of a failure that is of none it cannot be told
   whose it is: it is reported, as that of a task. *)
let note_failure t entries failure =
  let lacks_result (entry : _ Batch_entry.t) = not (has_result t entry.op) in
  let without = List.filter lacks_result (Array.to_list entries) in
  List.iter (fun entry -> Batch_entry.fail entry failure) without;
  if without = [] then Failure.report failure

let rec publish t entries outcome =
  try
    Result.iter_error (note_failure t entries) outcome;
    Array.iter Batch_entry.publish entries;
    Batch_queue.end_batch t.queue
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    publish t entries outcome;
    Printexc.raise_with_backtrace exn backtrace

let apply_oldest t w ~max own =
  let since = System.now () in
  let queued = Batch_queue.take t.queue ~max in
  let entries = if Array.length own = 0 then queued else Array.append queued own in
  if Array.length entries > 0 then begin
    let apply () = run_batch t w (Young.map (fun (entry : _ Batch_entry.t) -> entry.op) entries) in
    publish t entries (Failure.catch apply);
    if Array.length own = 0 then t.spent <- t.spent +. (System.now () -. since)
  end
