(* A wait of a task or of a thread, which somebody ends, or a cancellation does.

   What is waited for keeps waiters, and wakes one when its turn comes. The calling task puts its
   waiter there before it is suspended (see [Waiter]): so it may be woken, or cancelled, before it
   is.

   Whoever cancels ends the wait at once. A fork that has failed does not: its join may be in a
   generator that is paused (see [Token.fail]), and only the task can see that. So the task is
   roused, looks, and is suspended again if the failure is not for it; whoever wakes it meanwhile
   ends the wait. *)

(* A call may be late, when the cause that it is for has been forgiven. *)
let attention fiber t =
  if Token.has_other_causes fiber then Waiter.interrupt t
  else if Token.is_interrupted fiber then Waiter.rouse t

(* First the attention and a step, in [register] or [Waiter.rearm], and then the look; pairs with
   [Token.count_cause]. *)
let[@inline] heed fiber t = if Token.is_meant fiber then Waiter.interrupt t

let rec suspend_again fiber t suspend =
  heed fiber t;
  suspend t;
  if Waiter.rearm t then suspend_again fiber t suspend

(* A callback has a wait of its own in the middle of [outer], which gets to know what came
   meanwhile. *)
let end_wait fiber outer =
  Token.return_to_wait fiber outer;
  if Token.is_interrupted fiber then begin
    outer ();
    (Worker.here ()).attention ()
  end

(* The same in one step, for a wait in the middle of none; [false] if it is interrupted, or in another. *)
let[@poll error] try_to_end fiber outer =
  outer == Token.no_wait
  && begin
    Token.end_wait fiber;
    not (Token.may_be_interrupted fiber)
  end

(* As few frames as can be lie between a task that waits and its [suspend]: to return through each
   costs the processor a wrong guess, since its stack was left meanwhile. Probe: chan, rendezvous. *)
let wait_by suspend (w : Worker.t) register =
  let fiber = w.context.token.fiber in
  Token.poll fiber;
  let t = Waiter.create () in
  let outer = Token.wait fiber in
  let leave () = end_wait fiber outer in
  (match
     Token.begin_wait fiber (fun () -> attention fiber t);
     register t;
     if not (Waiter.is_over t) then begin
       heed fiber t;
       suspend t;
       if Waiter.rearm t then suspend_again fiber t suspend
     end
   with
  | () -> if not (try_to_end fiber outer) then Critical.finish leave
  | exception exn -> Critical.raise_after leave () exn);
  if Waiter.state t = Interrupted then raise (Token.Cancelled (Token.reason fiber))

let wait_inside w register = wait_by Task.wait w register

let wait_outside suspend register =
  let t = Waiter.create () in
  register t;
  suspend t

let wait register =
  match Worker.mine () with
  | Some w -> wait_inside w register
  | None -> wait_outside Task.wait register

let wait_for hold register =
  match Worker.mine () with
  | Some w -> wait_by (Task.wait_for hold) w register
  | None -> wait_outside (Task.wait_for hold) register

let wait_on_thread register =
  match Worker.mine () with
  | Some w -> wait_inside w register
  | None -> wait_outside Task.wait_in_any_case register

(* To the end *)

let wait_in_any_case on_end =
  let t = Waiter.create () in
  on_end (fun () -> ignore (Waiter.wake t : bool));
  Task.wait_in_any_case t

(* What raises before the wait has begun, as any allocation may, is for the caller to bear. *)
let wait_for_end on_end ~cancel =
  let raised = ref Exit in
  let register t = on_end (fun () -> ignore (Waiter.wake t : bool))
  and go_on () =
    (match !raised with Token.Cancelled reason -> cancel reason | _ -> ());
    wait_in_any_case on_end
  in
  match
    match Worker.mine () with
    | Some w -> wait_by Task.wait_in_any_case w register
    | None -> wait_outside Task.wait register
  with
  | () -> ()
  | exception (Token.Cancelled _ as exn) ->
      raised := exn;
      Critical.finish go_on
  | exception exn -> Critical.raise_after go_on () exn
