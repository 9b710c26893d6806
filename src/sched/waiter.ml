(* Waiter: one wait of a task or of a thread, which somebody ends, or a cancellation does.

   Entering --> Waiting --wake-------> Woken
                        --interrupt--> Interrupted

   Entering can be woken and interrupted too: while [register] runs. Then an interruption leaves it
   to the registering worker to resume, so that the task does not clean up before it has registered.

   What is waited for keeps waiters, and wakes one when its turn comes; [wake] says whether that
   ended the wait, so that what is handed over with it is never handed to nobody. *)

type state = Entering | Waiting | Woken | Interrupted
type t = { mutable state : state; [@atomic] mutable resume : unit -> unit }

let create () = { state = Entering; resume = ignore }
let state t = Atomic.Loc.get [%atomic.loc t.state]
let step t before after = Atomic.Loc.compare_and_set [%atomic.loc t.state] before after

let rec wake t =
  match state t with
  | (Entering | Waiting) as before ->
      if step t before Woken then begin
        t.resume ();
        true
      end
      else wake t
  | Woken | Interrupted -> false

let rec interrupt t =
  match state t with
  | Entering -> if not (step t Entering Interrupted) then interrupt t
  | Waiting -> if step t Waiting Interrupted then t.resume () else interrupt t
  | Woken | Interrupted -> ()

(* Both run when the caller has come to rest. Others get at [t] through [register] or the fiber's
   attention, and so after [resume] was set. *)

let enter t register resume =
  t.resume <- resume;
  register t;
  if not (step t Entering Waiting || state t = Woken) then resume ()

let enter_inside (fiber : Token.fiber) t register resume =
  t.resume <- resume;
  (* First the one and then the look; pairs with [Token.interrupt]. Whoever resumes the task sets
     its attention anew. A call may be late, when the cause that it is for has been forgiven. *)
  Token.attend fiber (fun () -> if Token.is_interrupted fiber then interrupt t);
  if Token.is_interrupted fiber then interrupt t;
  enter t register resume

let wait_inside (w : Worker.t) register =
  let fiber = w.context.token.fiber in
  Token.poll fiber;
  let t = create () in
  Task.wait_inside w (enter_inside fiber t register);
  if state t = Interrupted then raise (Token.Cancelled fiber.reason)

let wait register =
  match Worker.mine () with
  | Some w -> wait_inside w register
  | None -> Task.wait (enter (create ()) register)

let wait_for_end on_end ~cancel =
  match wait (fun waiter -> on_end (fun () -> ignore (wake waiter : bool))) with
  | () -> ()
  | exception Token.Cancelled reason ->
      cancel reason;
      Task.wait on_end
