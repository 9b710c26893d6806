(* Wait.

   A task that waits makes a waiter (see [Waiter]), registers it, publishes what it has begun, and performs
   [Suspend]. The wait may be over before that.

   As few frames as can be lie between a task that waits and its [suspend]: to return through each costs
   the processor a wrong guess, since its stack was left meanwhile. Probe: chan, rendezvous. *)

(* What the task has begun is for others meanwhile. [false] if the caller cannot wait: a C frame lies
   between a callback and the task that it has interrupted. *)
let suspend (t : Waiter.t) =
  let w = Worker.here () in
  let stack_id = w.stack_id and is_user_code = not w.in_section in
  Section.end_user_code w;
  Fork_stack.publish_all w;
  if Fork_stack.shows_any w then Team.notify w.team;
  Events.tell Events.suspend t.number;
  let here = Hooks.suspend () in
  if here != Hooks.no_mark then t.here <- here;
  let is_suspended =
    match Effect.perform (Waiter.Suspend t) with
    | () -> true
    | exception Effect.Unhandled (Waiter.Suspend _) -> false
  in
  let w = Worker.here () in
  w.stack_id <- stack_id;
  if Waiter.has_stayed t then begin
    Events.tell Events.resume t.number;
    Hooks.resume here Hooks.no_mark
  end;
  if is_user_code then Section.begin_user_code w;
  is_suspended

let can_wait () =
  match Effect.perform Waiter.Go_on with
  | () -> true
  | exception Effect.Unhandled Waiter.Go_on -> false

(* A signal's handler may have interrupted a worker between two tasks: others might wait for that
   worker. *)
let check_may_block () =
  let w = Worker.here () in
  if w != Worker.nobody && not w.in_job then
    invalid_arg "Drover: a finaliser or a signal's handler cannot wait between two tasks"

let block park t =
  check_may_block ();
  let parker = Parker.create () in
  !Hooks.installed.aside (fun () -> if Waiter.park t parker then park parker)

(* Three ways to wait *)

let refuse () =
  invalid_arg
    "Drover: a finaliser, a signal's handler or a callback from C cannot wait inside a task"

let in_task aim hold (w : Worker.t) register =
  let token = w.context.token and is_user_code = not w.in_section in
  if Token.waits token then refuse ();
  Token.poll token;
  let t = Waiter.of_task w in
  let look () = if Token.is_interrupted token then Waiter.interrupt t in
  (* First the attention, then a step in [register], and then the look; pairs with
     [Token.count_cause]. An attention that comes late may be for a cause that has been forgiven. *)
  Token.begin_wait token look;
  match
    register t;
    if not (Waiter.is_over t) then begin
      Token.be_listed token;
      look ();
      if not (Hooks.wait aim hold suspend t) then refuse ()
    end
  with
  | () -> (
      Token.end_wait token;
      match Waiter.state t with
      | Interrupted -> raise (Token.Cancelled (Token.reason token))
      | Running | Suspended | Parked _ | Woken -> ())
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Token.end_wait token;
      if is_user_code then Section.begin_user_code (Worker.here ());
      Printexc.raise_with_backtrace exn backtrace

let wait_by aim hold register =
  match Worker.mine () with
  | Some w -> in_task aim hold w register
  | None ->
      let t = Waiter.of_thread () in
      register t;
      Hooks.wait aim hold (block (Host.park (Host.caller ()))) t

let wait aim register = wait_by aim None register
let wait_for hold register = wait_by "waits for" (Some hold) register

let in_any_case aim register =
  match Worker.mine () with
  | Some w ->
      let t = Waiter.of_task w in
      register t;
      if not (Waiter.is_over t || Hooks.wait aim None suspend t) then block Parker.park t
  | None ->
      let t = Waiter.of_thread () in
      register t;
      (* A fiber that its host has cancelled blocks its thread. *)
      let park parker = try Host.park (Host.caller ()) parker with _ -> Parker.park parker in
      Hooks.wait aim None (block park) t

(* About as long as it takes to suspend the caller and to go on. Probe: regions. *)
let briefly is_over =
  let rec spin rounds =
    if rounds > 0 && not (is_over ()) then begin
      Domain.cpu_relax ();
      spin (rounds - 1)
    end
  in
  spin 60

(* All closures are there before anything has begun. *)
let from_start_to_end aim ~has_begun start on_end ~cancel =
  let register t = on_end (fun () -> ignore (Waiter.wake t : bool)) in
  let await_end () = in_any_case aim register in
  let stop reason =
    cancel reason;
    await_end ()
  in
  let stop_in_any_case reason = Shared.insist stop reason in
  try if start () then wait aim register with
  | Token.Cancelled reason when !has_begun -> stop_in_any_case reason
  | Invalid_argument _ when !has_begun ->
      Shared.insist await_end () (* a callback, which cannot suspend *)
  | exn when !has_begun -> Failure.raise_after stop_in_any_case exn exn

let until_ended aim on_end ~cancel =
  from_start_to_end aim ~has_begun:(ref true) (Fun.const true) on_end ~cancel

(* A wait that is cancelled leaves nothing in [cell]. *)
let until_full aim cell =
  let seat = Ivar.seat () in
  try wait aim (fun t -> Ivar.sit cell seat (fun () -> ignore (Waiter.wake t : bool)))
  with exn -> Failure.raise_after Ivar.stand_up seat exn
