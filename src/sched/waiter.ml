(* Waiter: one wait of a task or of a thread, which somebody ends, or a cancellation does.

   Idle --> Entering resume --> Waiting resume --wake-------> Woken
                                               --interrupt--> Interrupted

   Idle and Entering can be interrupted too, and Entering can be woken: while [register] runs. Then
   an interruption leaves it to the registering worker to resume, so that the task does not clean up
   before it has registered.

   What is waited for keeps waiters, and wakes one when its turn comes; [wake] says whether that
   ended the wait, so that what is handed over with it is never handed to nobody. *)

type state = Idle | Entering of (unit -> unit) | Waiting of (unit -> unit) | Woken | Interrupted
type t = state Atomic.t

let rec wake waiter =
  match Atomic.get waiter with
  | (Entering resume | Waiting resume) as before ->
      if Atomic.compare_and_set waiter before Woken then begin
        resume ();
        true
      end
      else wake waiter
  | Idle | Woken | Interrupted -> false

let rec interrupt waiter =
  match Atomic.get waiter with
  | (Idle | Entering _ | Waiting _) as before -> (
      if not (Atomic.compare_and_set waiter before Interrupted) then interrupt waiter
      else match before with Waiting resume -> resume () | _ -> ())
  | Woken | Interrupted -> ()

let enter waiter register resume =
  let entering = Entering resume in
  if Atomic.compare_and_set waiter Idle entering then begin
    register waiter;
    if not (Atomic.compare_and_set waiter entering (Waiting resume)) then
      match Atomic.get waiter with Interrupted -> resume () | _ -> ()
  end
  else resume ()

(* Waits in a task whose fiber can be interrupted. *)
let wait_in (fiber : Token.fiber) register =
  let waiter = Atomic.make Idle in
  (* First the one and then the look; pairs with [Token.interrupt]. Whoever resumes the task sets
     its attention anew. A call may be late, when the cause that it is for has been forgiven. *)
  Token.attend fiber (fun () -> if Token.is_interrupted fiber then interrupt waiter);
  if Token.is_interrupted fiber then interrupt waiter;
  Task.wait (enter waiter register);
  match Atomic.get waiter with
  | Interrupted -> raise (Token.Cancelled fiber.reason)
  | Idle | Entering _ | Waiting _ | Woken -> ()

let wait register =
  match Worker.mine () with
  | Some w ->
      let fiber = w.context.token.fiber in
      Token.poll fiber;
      wait_in fiber register
  | None -> Task.wait (enter (Atomic.make Idle) register)
