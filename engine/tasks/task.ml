(* Task.

   Waiting. A task makes a waiter (see [Waiter]), puts it where it will be woken, and calls
   [wait]. That prepares the rest of the task as a job, publishes what the task has begun, and
   performs [Suspend], whose argument is all that the handler needs, on the worker's own stack:
   it keeps the continuation and makes the step to Task. Nothing can get between, or the
   continuation would be lost. So the code of a handler has no safepoint, not even at its start:
   it allocates nothing, and what it calls at its end is inlined, or of another module. (That of
   [Effect.Deep.match_with] has one, as it calls a function that it does not know.)

   Nor does a handler ask for room on the stack, which may be full below a task that lies on
   another: it calls nothing but at its end.

   A job that was claimed is its worker's [hand] until its own code has begun. What raises before
   that in the scheduler gives it back (see [Claimed]). *)

open Effect.Deep

(* A task that waits, or that goes behind what its worker has to do. *)
type suspension =
  | Wait of {
      fiber : Waiter.fiber;
      waiter : Waiter.t;
      suspended : Waiter.state;
      takes_chain : bool; (* with what lies below: see [Ahead] *)
    }
  | Yield of { fiber : Waiter.fiber; worker : Worker.t; job : Job.t }

let[@inline] takes_chain = function Wait { takes_chain; _ } -> takes_chain | Yield _ -> false

type _ Effect.t +=
  | Suspend : suspension -> unit Effect.t
  | Go_on : unit Effect.t  (** does nothing: see [can_wait] *)

let[@inline] is_own (type a) (eff : a Effect.t) =
  match eff with Suspend _ | Go_on -> true | _ -> false

(* What the code of a job raises is its own. *)
let[@inline] catch f =
  try
    let v = f () in
    Masking.mask_here ();
    Ok v
  with exn ->
    Masking.mask_in_handler ();
    Failure.error exn

(* Stands where no continuation is yet. *)
let no_continuation =
  let kept = ref None in
  let keep (k : (unit, unit) continuation) = kept := Some k in
  (match Effect.perform Go_on with () -> () | effect Go_on, k -> keep k);
  Option.get !kept

(* On a worker's own stack; the last step cannot be interrupted. *)
let go_on (fiber : Waiter.fiber) =
  let w = Worker.here () in
  Current.adopt w fiber.context;
  Events.tell Events.resume fiber.wait;
  Hooks.resume fiber.here fiber.waker;
  Worker.empty_hand w;
  continue fiber.k ()

(* The rest of the calling task, which [w] runs. *)
let rest_of (w : Worker.t) : Waiter.fiber =
  let wait = Worker.next_wait w and here = Hooks.no_mark in
  { context = w.context; team = w.team; wait; here; waker = here; k = no_continuation }

(* What the task has begun is for others meanwhile. *)
let leave (w : Worker.t) (fiber : Waiter.fiber) =
  Fork_stack.publish_all w;
  if Fork_stack.offers w then Team.notify w.team;
  Events.tell Events.suspend fiber.wait;
  let here = Hooks.suspend () in
  if here != Hooks.no_mark then fiber.here <- here

let waiting (w : Worker.t) waiter ~takes_chain =
  let fiber = rest_of w in
  leave w fiber;
  let suspended = Waiter.Task { fiber; rest = Job.rest (fun () -> go_on fiber) } in
  Wait { fiber; waiter; suspended; takes_chain }

(* What handlers do *)

let[@inline] suspend suspension k =
  match suspension with
  | Wait { fiber; waiter; suspended } ->
      fiber.k <- k;
      if not (Waiter.suspend waiter suspended) then begin
        fiber.k <- no_continuation;
        continue k ()
      end
  | Yield { fiber; worker; job } ->
      fiber.k <- k;
      if not (Deque.put worker.deque job) then Worker.pick_up worker job

(* What interrupts the allocation goes where the other exception would. *)
let[@inline] refuse (type a) (eff : a Effect.t) k =
  match Effect.Unhandled eff with
  | unhandled -> discontinue k unhandled
  | exception exn -> discontinue k exn

(* [f x] in a fiber of its own. What it raises is from a callback that interrupted the scheduler: see
   [Scheduler]. *)
let in_fiber f x =
  match
    Worker.set_stack_id (Worker.here ()) (Stack_id.current ());
    f x
  with
  | _ -> ()
  | effect Suspend suspension, k -> suspend suspension k
  | effect Go_on, k -> continue k ()
  | effect eff, k -> refuse eff k

(* What [go_on] tells, where the task was woken before it was suspended. *)
let[@inline] tell_if_stayed = function
  | Wait { fiber; _ } when fiber.k == no_continuation ->
      Events.tell Events.resume fiber.wait;
      Hooks.resume fiber.here fiber.waker
  | Wait _ | Yield _ -> ()

(* [false] if the caller cannot wait: a C frame lies between a callback and the task that it has
   interrupted, which may be masked. *)
let[@inline] perform (w : Worker.t) suspension =
  let was_unmasked = w.unmasked and stack_id = w.stack_id in
  Masking.mask w;
  match Effect.perform (Suspend suspension) with
  | () ->
      Worker.set_stack_id (Worker.here ()) stack_id;
      tell_if_stayed suspension;
      Masking.unmask_again ();
      true
  | exception Effect.Unhandled (Suspend _) ->
      if was_unmasked then Masking.unmask w;
      Events.tell Events.resume w.wait;
      false

let refuse_to_wait () =
  invalid_arg
    "Drover: a finaliser, a signal's handler or a callback from C cannot wait inside a task"

let can_wait () =
  match Effect.perform Go_on with () -> true | exception Effect.Unhandled Go_on -> false

let[@inline] wait_on w waiter ~takes_chain =
  if not (Waiter.is_over waiter || perform w (waiting w waiter ~takes_chain)) then refuse_to_wait ()

let wait_inside w waiter = wait_on w waiter ~takes_chain:false
let wait_with_chain w waiter = wait_on w waiter ~takes_chain:true

(* A signal's handler may have interrupted a worker between two tasks: others might wait for that
   worker. *)
let check_may_block () =
  let w = Worker.here () in
  if w != Worker.nobody && not w.in_job then refuse_to_wait ()

(* Waits until [waiter] is woken, outside any task: suspends the calling fiber of a host, or blocks
   the thread. *)
let block caller waiter =
  check_may_block ();
  let parker = Parker.create () in
  Hooks.aside (fun () -> if Waiter.suspend waiter (Thread parker) then Host.park caller parker)

(* Waits until [waiter] is woken: suspends the calling task or fiber, or blocks the calling
   thread. *)
let wait_unseen waiter =
  match Worker.mine () with Some w -> wait_inside w waiter | None -> block (Host.caller ()) waiter

(* The same for a wait that must come to its end: a callback, which cannot suspend, blocks its
   worker's thread, and a fiber, which may be cancelled, its host's. *)
let suspend_in_any_case waiter =
  match Worker.mine () with
  | None -> block Thread waiter
  | Some w ->
      if not (Waiter.is_over waiter || perform w (waiting w waiter ~takes_chain:false)) then
        block Thread waiter

(* Wakes many. Tasks of the calling worker's pool are resumed by jobs that halve them, so that thieves
   get large pieces: their pool does not close before it has come to them, as it might with others.
   May be called again. *)

let rec resume_between (team : Worker.team) ~urgent waiters lo hi =
  if hi - lo > 1 then begin
    let mid = (lo + hi) / 2 in
    resume_later team ~urgent waiters mid hi;
    resume_between team ~urgent waiters lo mid
  end
  else Waiter.resume waiters.(lo)

and resume_later team ~urgent waiters lo hi =
  Team.add team ~urgent (Job.rest (fun () -> resume_between team ~urgent waiters lo hi))

let resume_all waiters =
  match Worker.mine () with
  | Some { team; context; _ }
    when Array.length waiters > 1 && Array.for_all (Waiter.is_of team) waiters ->
      resume_later team ~urgent:context.urgent waiters 0 (Array.length waiters)
  | Some _ | None -> Array.iter Waiter.resume waiters

let wake_all waiters =
  let claim waiter = ignore (Waiter.claim waiter : bool) in
  Critical.finish (fun () ->
      Array.iter claim waiters;
      resume_all waiters)

let yield (w : Worker.t) =
  let fiber = rest_of w in
  leave w fiber;
  let job = Job.rest (fun () -> go_on fiber) in
  Deque.make_room w.deque;
  let suspension = Yield { fiber; worker = w; job } in
  Team.notify w.team;
  ignore (perform w suspension : bool)

(* Where others do as much without this worker: see [Crowding]. *)
let stand_back () =
  match Worker.mine () with Some w when Crowding.is_surplus w -> yield w | Some _ | None -> ()

let give_way (w : Worker.t) =
  if can_wait () then begin
    let waiter = Waiter.create () in
    let wake () = ignore (Waiter.wake waiter : bool) in
    Team.add_outside w.team ~urgent:w.context.urgent (Job.rest wake);
    wait_inside w waiter
  end

let wait waiter = Hooks.wait None wait_unseen waiter
let wait_for hold waiter = Hooks.wait (Some hold) wait_unseen waiter
let wait_in_any_case waiter = Hooks.wait None suspend_in_any_case waiter

let[@inline] started_here (context : Context.t) =
  let locals = Hooks.start context.locals in
  if locals == context.locals then context else { context with locals }

let context () = match Worker.mine () with Some w -> w.context | None -> Context.none
let poll () = Option.iter (fun (w : Worker.t) -> Token.poll w.context.token.fiber) (Worker.mine ())

let number () =
  match Worker.mine () with
  | Some w when w.context != Context.none -> Token.number w.context.token.fiber
  | Some _ | None -> -1 - Thread.id (Thread.self ())

(* Whether it does: fibers of a host have the number of their thread. *)
let is_told_apart () = Option.is_some (Worker.mine ()) || not (Host.is_here ())

(* The outcome of the calling task, which should hold nothing any more. *)
let let_go outcome = Token.let_go (context ()).token.fiber outcome
