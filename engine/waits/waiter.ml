(* Waiter.

   Running --suspend--> Task or Thread --claim------> Woken
     |                       |             +--interrupt--> Interrupted
     +---------rouse---------+--> Roused --rearm--> Running

   From Running and Roused, too, the steps claim and interrupt lead to the ends. *)

type fiber = {
  context : Context.t;
  team : Worker.team;
  wait : int;
  mutable here : Hooks.mark;
  mutable waker : Hooks.mark;
  mutable k : (unit, unit) Effect.Deep.continuation;
}

type state =
  | Running
  | Task of { fiber : fiber; rest : Job.t }
  | Thread of Parker.t
  | Roused
  | Woken
  | Interrupted

type t = {
  mutable state : state; [@atomic]
  mutable suspended : state; (* that it was in when its wait was ended, or it was roused *)
  (* Two may read and write it, if one has roused it and the other ends the wait: the first resumes. *)
  mutable is_urgent : bool; (* others wait for what it is woken for *)
}

let[@inline] create () = { state = Running; suspended = Running; is_urgent = false }
let hurry t = t.is_urgent <- true
let[@inline] state t = Atomic.Loc.get [%atomic.loc t.state]

let[@inline] is_over t =
  match state t with Woken | Interrupted -> true | Running | Roused | Task _ | Thread _ -> false

let[@inline] step t before after = Atomic.Loc.compare_and_set [%atomic.loc t.state] before after
let[@inline] suspend t suspended = step t Running suspended

let[@poll error] try_to_leave t after =
  match state t with
  | (Task _ | Thread _) as before ->
      step t before after
      && begin
        t.suspended <- before;
        true
      end
  | (Running | Roused) as before -> step t before after
  | Woken | Interrupted -> false

(* [true] once it is [after] by the caller's step, which is the last thing done. *)
let rec leave_to t after = try_to_leave t after || ((not (is_over t)) && leave_to t after)
let claim t = leave_to t Woken

(* A task goes back to the pool it came from, as a job: it is never run on the stack of whoever
   resumes it. What is urgent goes where the next worker that has ended something finds it, rather
   than to one whose task may take long. *)
let resume t =
  match t.suspended with
  | Task { fiber; rest } ->
      let waker = Hooks.pass () in
      if waker != Hooks.no_mark then fiber.waker <- waker;
      if t.is_urgent then Team.add_outside fiber.team ~urgent:true rest
      else Team.add fiber.team ~urgent:fiber.context.urgent rest
  | Thread parker -> Parker.wake parker
  | Running | Roused | Woken | Interrupted -> ()

let is_of team t = match t.suspended with Task { fiber; _ } -> fiber.team == team | _ -> false

(* Mostly a task wakes another of its pool, and no worker need be woken: then both halves are one
   step, which asks for no room on the stack. *)
let[@poll error] wake_near (w : Worker.t) t =
  match state t with
  | Task { fiber; rest } as before when fiber.team == w.team && not (w.busy || t.is_urgent) ->
      let deque = Worker.deque_for w ~urgent:fiber.context.urgent in
      Deque.has_room deque && step t before Woken && Deque.put deque rest
  | _ -> false

let wake_anyhow t =
  Critical.reserve_stack ();
  claim t
  && begin
    Critical.finish_with resume t;
    true
  end

let wake t =
  match Worker.mine () with
  | Some w when (not (Team.needs_another w.team)) && Hooks.shortcuts () && wake_near w t ->
      (* Somebody may have gone to sleep meanwhile. *)
      if Team.needs_another w.team then Critical.finish_with Team.wake_one w.team;
      true
  | Some _ | None -> wake_anyhow t

let leave_and_resume t after =
  Critical.reserve_stack ();
  if leave_to t after then Critical.finish_with resume t

let interrupt t = leave_and_resume t Interrupted
let rouse t = leave_and_resume t Roused

(* Whoever has roused it may resume it once more, later, but finds nothing then. *)
let rearm t =
  state t == Roused
  && begin
    t.suspended <- Running;
    step t Roused Running
  end
