(* Task.

   A task that waits makes a waiter (see [Waiter]), publishes what it has begun, and performs [Suspend],
   whose argument is all that the handler needs, on the worker's own stack. Nothing can get between the
   effect and the end of its handler, or the continuation would be lost. So the code of a handler has no
   safepoint, not even at its start: it allocates nothing, and what it calls at its end is inlined, or of
   another module. (That of [Effect.Deep.match_with] has one, as it calls a function that it does not
   know.) Nor does it ask for room on the stack, which may be full below a task that lies on another.

   A job that was claimed is its worker's [hand] until its own code has begun. What raises before that in
   the scheduler gives it back (see [Claimed]). *)

open Effect.Deep

type _ Effect.t +=
  | Suspend : Waiter.t -> unit Effect.t
  | Go_on : unit Effect.t  (** does nothing: see [can_wait] *)

let[@inline] is_own (type a) (eff : a Effect.t) =
  match eff with Suspend _ | Go_on -> true | _ -> false

(* What the code of a job raises is its own. *)
let[@inline] catch f =
  try
    Section.begin_user_code (Worker.here ());
    let v = f () in
    Section.end_user_code (Worker.here ());
    Ok v
  with exn ->
    Section.end_user_code (Worker.here ());
    Failure.error exn

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
  | effect Suspend t, k -> if not (Waiter.suspend t k) then continue k ()
  | effect Go_on, k -> continue k ()
  | effect eff, k -> refuse eff k

(* What the task has begun is for others meanwhile. [false] if the caller cannot wait: a C frame lies
   between a callback and the task that it has interrupted. *)
let suspend t =
  let w = Worker.here () in
  let stack_id = w.stack_id and is_user_code = not w.in_section in
  Section.end_user_code w;
  Fork_stack.publish_all w;
  if Fork_stack.offers w then Team.notify w.team;
  Events.tell Events.suspend (Waiter.number t);
  let here = Hooks.suspend () in
  if here != Hooks.no_mark then Waiter.mark t here;
  let is_suspended =
    match Effect.perform (Suspend t) with
    | () -> true
    | exception Effect.Unhandled (Suspend _) -> false
  in
  let w = Worker.here () in
  Worker.set_stack_id w stack_id;
  if Waiter.has_stayed t then begin
    Events.tell Events.resume (Waiter.number t);
    Hooks.resume here Hooks.no_mark
  end;
  if is_user_code then Section.begin_user_code w;
  is_suspended

let can_wait () =
  match Effect.perform Go_on with () -> true | exception Effect.Unhandled Go_on -> false

(* A signal's handler may have interrupted a worker between two tasks: others might wait for that
   worker. *)
let check_may_block () =
  let w = Worker.here () in
  if w != Worker.nobody && not w.in_job then
    invalid_arg "Drover: a finaliser or a signal's handler cannot wait between two tasks"

let block caller t =
  check_may_block ();
  let parker = Parker.create () in
  Hooks.aside (fun () -> if Waiter.park t parker then Host.park caller parker)

let block_in_any_case t =
  check_may_block ();
  let parker = Parker.create () in
  let park () = try Host.park (Host.caller ()) parker with _ -> Parker.park parker in
  Hooks.aside (fun () -> if Waiter.park t parker then park ())

(* Behind all that the pool has to do. In a callback it does nothing. *)
let give_way (w : Worker.t) =
  if can_wait () then begin
    let t = Waiter.of_task w in
    let wake () = ignore (Waiter.wake t : bool) in
    Team.add_outside w.team ~urgent:w.context.urgent (Job.rest wake);
    ignore (suspend t : bool)
  end

(* Where others do as much without this worker: see [Crowding]. *)
let stand_back () =
  match Worker.mine () with Some w when Crowding.is_surplus w -> give_way w | Some _ | None -> ()

let[@inline] started_here (context : Context.t) =
  let locals = Hooks.start context.locals in
  if locals == context.locals then context else { context with locals }

let context () = match Worker.mine () with Some w -> w.context | None -> Context.none
let poll () = Option.iter (fun (w : Worker.t) -> Token.poll w.context.token) (Worker.mine ())

let number () =
  match Worker.mine () with
  | Some w when w.context != Context.none -> Token.number w.context.token
  | Some _ | None -> -1 - Thread.id (Thread.self ())

(* Whether it does: fibers of a host have the number of their thread. *)
let is_told_apart () = Option.is_some (Worker.mine ()) || not (Host.is_here ())

(* The outcome of the calling task, which should hold nothing any more. *)
let let_go outcome = Token.let_go (context ()).token outcome
