(* Batch.

   1. A submitter that finds the object at rest applies its operation itself: by the object's function
      for one operation, as under a lock, or as a batch of one.
   2. What comes meanwhile is queued, and its submitters are suspended, unless the object comes to rest
      very soon.
   3. When the submitter of 1 has applied its own, it applies the few that are queued, as a batch.
   4. When a batch has ended and operations are queued, the server launches a task that applies those,
      batch after batch.
   5. If that has not started yet, and there are but few operations, the next submitter applies them with
      its own. Then the task finds nothing left; so a task too many does no harm.

   Nothing takes an operation back that is queued: so one that has come to its end was applied. *)

open Batch_object

type 'op t = 'op Batch_object.t
type metrics = { batches : int; operations : int; sizes : int array }

let create = create

let metrics t =
  let { Batch_object.operations; sizes } = t.tally in
  let sizes = Array.copy sizes in
  { batches = Array.fold_left ( + ) 0 sizes; operations; sizes }

(* The task that serves *)

(* What is launched goes before other work, until batches have done so for this long. Then it comes
   once behind what waits in the pool's inbox. *)
let[@inline] slice_is_over t = t.spent > 5e-3 (* seconds *)

(* The caller has entered the queue: applies a batch of up to [max] operations, with [own] ones that were not
   queued; how many are left. What a signal's handler raises comes when the queue was left. *)
let rec serve_batch t ~max own =
  match
    let w = Worker.mine () in
    begin_service t w;
    apply_oldest t w ~max own;
    end_service t
  with
  | left -> left
  | exception exn -> Failure.raise_after serve_next t exn

and serve_next t = find_server t (serve_batch t ~max:t.max [||])

(* Batch after batch, until other work comes, if [has_slice]. *)
and serve t ~has_slice =
  if Batch_queue.serve_left t.queue ~most:max_int then begin
    let left = serve_batch t ~max:t.max [||] in
    if left > 0 && not (has_slice && slice_is_over t) then serve t ~has_slice
    else find_server t left
  end

and find_server t left = if left > 0 then launch t (if slice_is_over t then Behind else First)

(* Starts a task that will serve, unless one is on its way that comes as early. A pool that is closed or has
   no domain leaves it to the pool of the caller, if that is a task, or to the caller; who serves, too, where
   a signal's handler raises. *)
and launch t lane =
  let before = Atomic.get t.lane in
  if before < lane then
    if not (Atomic.compare_and_set t.lane before lane) then launch t lane
    else
      match
        let ambient = Pool.ambient () in
        let team = Option.value t.pool ~default:ambient in
        start_in t team lane || start_in t ambient lane
      with
      | true -> ()
      | false -> serve_here t
      | exception exn -> Failure.raise_after serve_here t exn

and serve_here t =
  Atomic.set t.lane Nowhere;
  serve t ~has_slice:false

(* A task counts in [team.batches] from its launch, if it goes before other work, or from its begin. *)
and start_in t team lane =
  let context = { (Context.independent Context.none) with urgent = true } in
  let finish () =
    Team.end_batch team;
    Token.finish context.token;
    let w = Worker.here () in
    w.ended <- w.ended + 1
  in
  let give_up () =
    find_server t (Batch_queue.left t.queue);
    finish ()
  and uncount () = if lane = First then Team.end_batch team in
  let body () =
    Admission.begin_task (Worker.here ()) context;
    if lane <> First then Team.begin_batch team;
    if lane = Behind then begin_slice t;
    (* First this and then the look at the queue: a server that finds it on its way has left items there. *)
    Atomic.set t.lane Nowhere;
    match serve t ~has_slice:true with
    | () -> finish ()
    | exception exn -> Failure.raise_after give_up () exn
  in
  let job = Admission.job body and inbox = if lane = First then team.urgent_inbox else team.inbox in
  (Pool.is_inside team || Domains.ensure_worker team)
  && begin
    if lane = First then Team.begin_batch team;
    match Admission.put ~inbox team ~urgent:true job with
    | Nowhere ->
        uncount ();
        false
    | added ->
        Team.announce team added;
        Domains.see_to team;
        true
    | exception exn -> Failure.raise_after uncount () exn
  end

(* The submitter *)

(* Fewer operations are not worth a task of their own. *)
let few = 4

(* Those few that came meanwhile take less time than to launch a task. *)
let serve_rest t =
  let left = Batch_queue.left t.queue in
  if left <= few && Batch_queue.serve_left t.queue ~most:few then serve_next t
  else find_server t left

let rec leave t =
  match Batch_queue.stop_serving t.queue with
  | left -> if left > 0 then Shared.insist serve_rest t
  | exception exn -> Failure.raise_after leave t exn

(* The caller has entered the queue. After its operation it may be on another worker. *)
let[@inline] apply_here t w op =
  let failure = apply_one t w op in
  if not (Batch_queue.stop_if_alone t.queue) then leave t;
  if failure != Failure.none then Failure.raise failure

(* [false] if nothing is left, or too much, or somebody serves. *)
let apply_with_few t op =
  let own = [| Batch_entry.create op |] and most = Int.min few (t.max - 1) in
  Batch_queue.serve_left t.queue ~most
  && begin
    find_server t (serve_batch t ~max:most own);
    Option.iter Failure.raise own.(0).failure;
    true
  end

(* [false] if the object has come to rest: then nothing has happened. The pool that may have to serve is made
   before anything is queued, for that may fail. *)
let wait t op =
  check_not_inside t;
  Task.poll ();
  if Option.is_none t.pool then ignore (Pool.ambient () : Pool.t);
  let entry = Batch_entry.create op in
  Batch_queue.add t.queue entry
  && begin
    Batch_entry.wait entry;
    Option.iter Failure.raise entry.failure;
    true
  end

(* A short batch ends sooner than a task is suspended and resumed. Meanwhile a look at the queue
   takes it from the cache of the worker that uses it, so there are few: the pauses are 4, 8, and so on
   to 128 long. Probe: batch-cells. *)
let rec contend t op ~can_wait pause =
  if Batch_queue.serve_if_free t.queue then apply_here t (Worker.mine ()) op
  else if not (can_wait && apply_with_few t op) then
    if pause <= 128 && Batch_queue.is_busy t.queue then begin
      Shared.pause pause;
      contend t op ~can_wait (2 * pause)
    end
    else if not can_wait then Wait.refuse ()
    else if not (wait t op) then contend t op ~can_wait pause

(* A callback that has interrupted a task cannot wait: it applies its operation, if the object is or
   comes to rest, or nothing happens. Alone in a pool, one cannot expect that a batch goes on. *)
let submit_to_busy t w op =
  let can_wait = Option.is_none w || Wait.can_wait () in
  let is_alone = Array.length (Worker.here ()).team.members = 1 in
  contend t op ~can_wait (if is_alone then max_int else 4)

let submit t op =
  Section.reserve_stack ();
  Point.pass ();
  let w = Worker.here () in
  let is_outermost = Section.enter_on w and w = Worker.task_of w in
  match if Batch_queue.serve_if_free t.queue then apply_here t w op else submit_to_busy t w op with
  | () -> Section.exit is_outermost
  | exception exn -> Failure.raise_after Section.exit is_outermost exn
