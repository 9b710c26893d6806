(* A wait is registered first and suspended then, so it may be over before it is suspended: see [Waiter].

   As few frames as can be lie between a task that waits and its [suspend]: to return through each costs
   the processor a wrong guess, since its stack was left meanwhile. Probe: chan, rendezvous. *)

let refuse () =
  invalid_arg
    "Drover: a finaliser, a signal's handler or a callback from C cannot wait inside a task"

(* An attention that comes late may be for a cause that has been forgiven. *)
let attention fiber t () = if Token.is_interrupted fiber then Waiter.interrupt t

let in_task hold (w : Worker.t) register =
  let fiber = w.context.token in
  if Token.waits fiber then refuse ();
  Token.poll fiber;
  let t = Waiter.of_task w in
  (* First the attention, then a step in [register], and then the look; pairs with
     [Token.count_cause]. *)
  Token.begin_wait fiber (attention fiber t);
  match
    register t;
    if not (Waiter.is_over t) then begin
      if Token.is_interrupted fiber then Waiter.interrupt t;
      if not (Hooks.wait hold Task.suspend t) then refuse ()
    end
  with
  | () -> (
      Token.end_wait fiber;
      match Waiter.state t with
      | Interrupted -> raise (Token.Cancelled (Token.reason fiber))
      | Running | Suspended | Parked _ | Woken -> ())
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Token.end_wait fiber;
      Printexc.raise_with_backtrace exn backtrace

let wait_by hold register =
  match Worker.mine () with
  | Some w -> in_task hold w register
  | None ->
      let t = Waiter.of_thread () in
      register t;
      Hooks.wait hold (Task.block (Host.caller ())) t

let wait register = wait_by None register
let wait_for hold register = wait_by (Some hold) register

let in_any_case register =
  match Worker.mine () with
  | Some w ->
      let t = Waiter.of_task w in
      register t;
      if not (Waiter.is_over t || Hooks.wait None Task.suspend t) then Task.block Thread t
  | None ->
      let t = Waiter.of_thread () in
      register t;
      Hooks.wait None Task.block_in_any_case t

let until_ended on_end ~cancel =
  let register t = on_end (fun () -> ignore (Waiter.wake t : bool)) in
  match wait register with
  | () -> ()
  | exception Token.Cancelled reason ->
      cancel reason;
      in_any_case register
  | exception Invalid_argument _ -> in_any_case register
