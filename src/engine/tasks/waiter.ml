(* Waiter.

   Running --suspend, park--> Suspended, Parked --wake-----> Woken
     |                                    +-----interrupt--> Interrupted
     +--wake, interrupt--> the same

   1. The waiting task registers its waiter where its waker will find it.
   2. It performs [Suspend], whose handler (see [Task]) writes [k] and makes the step to Suspended. If the
      waiter has been woken by then, the handler continues at once.
   3. The waker makes the step to Woken, once, and with it the rest of the task becomes a job: in the
      waker's own deque, if it is of the same pool, in no fork and in no loop, and the wait is not urgent;
      else in an inbox of the task's pool. The task is never run on the stack of the waker.

   In a deque the step and the put are one, without a safepoint between them, where there is room; and
   elsewhere the waker insists: so a signal's handler that raises in the waker loses no task. *)

type state = Running | Suspended | Parked of Parker.t | Woken | Interrupted

type t = {
  mutable state : state; [@atomic]
  mutable k : (unit, unit) Effect.Deep.continuation; (* the rest of the task *)
  context : Context.t;
  team : Worker.team;
  number : int; (* of the wait: see [Events] *)
  mutable here : Hooks.mark;
  mutable waker : Hooks.mark;
  mutable is_urgent : bool; (* others wait for what the task is woken for *)
}

type _ Effect.t +=
  | Suspend : t -> unit Effect.t
  | Go_on : unit Effect.t  (** does nothing: see [Wait.can_wait] *)
  | Never : unit Effect.t

let[@inline] is_own (type a) (eff : a Effect.t) =
  match eff with Suspend _ | Go_on -> true | _ -> false

(* Stands where no continuation is. *)
let no_continuation =
  let kept = ref None in
  let keep (k : (unit, unit) Effect.Deep.continuation) = kept := Some k in
  (match Effect.perform Never with () -> () | effect Never, k -> keep k);
  Option.get !kept

let[@inline] create context team number =
  {
    state = Running;
    k = no_continuation;
    context;
    team;
    number;
    here = Hooks.no_mark;
    waker = Hooks.no_mark;
    is_urgent = false;
  }

let[@inline] of_task (w : Worker.t) = create w.context w.team (Worker.next_wait w)
let of_thread () = create Context.none Worker.nobody.team (-1)
let hurry t = t.is_urgent <- true
let[@inline] state t = Atomic.Loc.get [%atomic.loc t.state]
let[@inline] step t before after = Atomic.Loc.compare_and_set [%atomic.loc t.state] before after

let[@inline] is_over t =
  match state t with Woken | Interrupted -> true | Running | Suspended | Parked _ -> false

let[@inline] suspend t k =
  t.k <- k;
  let is_kept = step t Running Suspended in
  if not is_kept then t.k <- no_continuation;
  is_kept

let has_stayed t = t.k == no_continuation
let park t parker = step t Running (Parked parker)

(* On the worker's own stack. *)
let go_on t =
  let w = Worker.here () in
  Worker.adopt w t.context;
  Events.tell Events.resume t.number;
  Hooks.resume t.here t.waker;
  Worker.empty_hand w;
  Effect.Deep.continue t.k ()

(* [false] also where there is no room: a callback that has interrupted [Deque.make_room] may have filled
   the deque again. *)
let[@poll error] step_into_deque t after deque job =
  Deque.has_room deque && step t Suspended after && Deque.put deque job

(* To add it twice does no harm: it is claimed once. As [Shared.insist], without a closure, for which a
   signal's handler might raise. *)
let rec add_outside t job =
  try Team.add_outside t.team ~urgent:(t.is_urgent || t.context.urgent) job
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    add_outside t job;
    Printexc.raise_with_backtrace exn backtrace

(* What is urgent goes where the next worker that has ended something finds it, rather than to one whose
   task may take long. A worker that serves timers between two tasks keeps what it wakes, too, for thieves to take
   many of it at once. Program: all-sleeps. *)
let end_suspended t after =
  let job = Job.rest (fun () -> go_on t) and waker = Hooks.pass () in
  if waker != Hooks.no_mark then t.waker <- waker;
  let w = Worker.here () in
  if w.team == t.team && (not t.is_urgent) && w.sp = 0 && w.loops == [] then begin
    let deque = Worker.deque_for w ~urgent:t.context.urgent in
    Deque.make_room deque;
    let has_ended = step_into_deque t after deque job in
    if has_ended then begin
      w.slice.has_woken <- true;
      w.limit <- 0;
      Shared.insist Team.notify t.team
    end;
    has_ended
  end
  else begin
    let has_ended = step t Suspended after in
    if has_ended then add_outside t job;
    has_ended
  end

let rec end_wait t after =
  match state t with
  | Woken | Interrupted -> false
  | Suspended -> end_suspended t after || end_wait t after
  | before ->
      let has_ended = step t before after in
      (match before with Parked parker when has_ended -> Parker.wake parker | _ -> ());
      has_ended || end_wait t after

let rest t =
  Job.rest (fun () -> if step t Suspended Woken then go_on t else ignore (end_wait t Woken : bool))

let wake t = end_wait t Woken
let interrupt t = ignore (end_wait t Interrupted : bool)
