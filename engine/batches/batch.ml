(* Batch.

   Whoever finds the object at rest applies its own operation, as a batch of one. What comes
   meanwhile is queued, and its submitters are suspended. When a batch has ended and operations are queued, somebody else
   is found who serves (see [Batch_server]): a task that is launched for it, or in its place a
   submitter: the next one, with its own operation, if there are but few of them; or else the
   first that would be suspended.

   From then on nothing takes its operation back: so an operation that has come to its end was
   applied. *)

open Batch_object
open Batch_server

type policy = Batch_object.policy = At_once | When_idle
type 'op t = 'op Batch_object.t

type metrics = {
  batches : int;
  operations : int;
  sizes : int array;
  waiting : float;
  running : float;
}

let create = create

let metrics t =
  let { Batch_tally.operations; sizes; waiting; running; _ } = t.tally in
  let sizes = Array.copy sizes in
  { batches = Array.fold_left ( + ) 0 sizes; operations; sizes; waiting; running }

(* The operation of the caller, who serves *)

let end_own t op exn =
  let backtrace = Printexc.get_raw_backtrace () in
  (match leave t with () -> () | exception _ -> ());
  let failure = { Failure.exn; backtrace; seen = ref false } in
  if has_result t op then Failure.report failure else Failure.raise failure

(* [false] if the object is not at rest. The caller is [w], or the thread [me]; [ops] is its
   operation. *)
let apply_own t w me op ops =
  Critical.reserve_stack ();
  match
    enter_if_free t me
    && begin
      run_batch t w 1 t.run ops;
      true
    end
  with
  | true ->
      leave t;
      true
  | false -> false
  | exception exn ->
      end_own t op exn;
      true

(* A few operations that nobody has begun to apply are not worth a task: whoever comes by takes them
   along. *)
let few = 4

let serve_few t most own w =
  let queued = Batch_queue.oldest t.queue ~max:most in
  apply t w (create_batch t (Array.append queued [| own |]) ~queued:(Array.length queued))

(* [false] if there are none, or too many. *)
let apply_with_few t w me op =
  let most = Int.min few (t.max - 1) and left = Batch_queue.left t.queue in
  left > 0 && left <= most
  && begin
    let own = create_entry t op in
    let serve = serve_few t most own in
    Critical.reserve_stack ();
    enter t me ~most
    && begin
      serving t serve w;
      Option.iter Failure.raise (Batch_entry.failure own);
      true
    end
  end

(* Waiting *)

(* The fibers of a host's thread are not told apart. *)
let check_not_inside t (w : Worker.t option) me =
  let inside =
    match w with
    | Some w -> List.mem t.id w.context.batches
    | None -> t.thread = me && not (Host.is_here ())
  in
  if inside then invalid_arg "Drover.Batch.submit: called from the object's own batch function"

(* Where the queue is full already, this worker had better help than add to it. *)
let join_queue t =
  if Batch_queue.length t.queue >= t.max then Option.iter Worker.join_queue (Worker.mine ())

let suspend t entry =
  join_queue t;
  Wait.in_any_case (fun waiter ->
      if not (Batch_entry.wait_on entry waiter) then ignore (Waiter.wake waiter : bool))

(* In the place of a task that was launched for it. What the caller has begun is for others
   meanwhile. *)
let serve_inside t (w : Worker.t) =
  let team = w.team and serve () = serve_some t (Worker.mine ()) in
  Fork_stack.publish_all w;
  match
    let context = { (context_in w t) with urgent = true } in
    Team.begin_batch team;
    Extent.within (Fun.const context) serve
  with
  | () -> Team.end_batch team
  | exception exn -> Critical.raise_despite Team.end_batch team exn

let is_in_pool t =
  match t.pool with Some pool -> Pool.is_inside pool | None -> Option.is_some (Worker.mine ())

(* Whether the caller, which would wait, has served now, as nobody did. *)
let serve_waiting t =
  match Worker.mine () with
  | Some w when t.policy = At_once && is_in_pool t && Batch_queue.left t.queue > 0 ->
      let serve = serve_inside t in
      Critical.reserve_stack ();
      enter t no_thread
      && begin
        serving t serve w;
        true
      end
  | Some _ | None -> false

let rec await t entry =
  if not (Batch_entry.is_served entry) then begin
    if not (serve_waiting t) then suspend t entry;
    await t entry
  end

(* [false] if the object has come to rest: then nothing has happened. The pool that may have to serve
   is there before anything is queued: to make one takes long, and what must be finished in any case
   would begin that anew at each interruption. *)
let wait t w me op =
  check_not_inside t w me;
  Task.poll ();
  if Option.is_none t.pool then ignore (Pool.ambient () : Pool.t);
  let entry = create_entry t op in
  Critical.reserve_stack ();
  match Batch_queue.add t.queue ~enough:t.max entry with
  | At_rest -> false
  | (Queued | Enough) as added ->
      if added = Enough then Critical.finish_with launch t
      else if is_forgotten t then Critical.finish_with find_server t;
      await t entry;
      Option.iter Failure.raise (Batch_entry.failure entry);
      true

(* A short batch ends sooner than a task is suspended and resumed. Meanwhile a look at the queue
   takes it from the cache of the worker that uses it, so there are few. Probe: counter. *)
let first_pause = 16
let last_pause = 128

let rec contend t w me op ops ~can_wait n =
  if not (apply_own t w me op ops || (can_wait && apply_with_few t w me op)) then
    if n <= last_pause && Batch_queue.is_busy t.queue then begin
      Backoff.pause n;
      contend t w me op ops ~can_wait (2 * n)
    end
    else if not can_wait then Wait.refuse ()
    else if not (wait t w me op) then contend t w me op ops ~can_wait n

(* Alone in a pool, one cannot expect that a batch goes on. *)
let is_alone () = Array.length (Worker.here ()).team.members = 1

(* A callback that has interrupted a task cannot wait: it applies its operation, if the object is or
   comes to rest, or nothing happens. *)
let submit t op =
  let w = Worker.mine () in
  let me = number w and ops = [| op |] in
  if not (apply_own t w me op ops) then
    let can_wait = Option.is_none w || Task.can_wait () in
    contend t w me op ops ~can_wait (if is_alone () then last_pause + 1 else first_pause)
