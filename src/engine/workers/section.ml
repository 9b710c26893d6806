(* Section.

   User's code --enter--> Section --exit--> User's code

   Whether a worker is in a section is one flag of its own, which the finaliser of [Ticker] reads: that
   runs on the worker's thread, between any two steps of what the worker runs. A task that is suspended
   leaves the flag as it is, for the scheduler, which is in a section; and finds it so wherever it goes
   on. *)

open Worker

let[@inline] leave w = w.in_section <- false

let[@inline never] request_and_leave w =
  match Shared.insist Interrupter.request w.interruption.is_wanted with
  | () -> leave w
  | exception exn -> Failure.raise_after leave w exn

(* A request outlives the section: so one that comes between the look and the exit is not lost; and nothing
   raises here but a signal's handler, as the exit is the last step.

   1. The worker has stored its context.              1. The canceller counts a cause.
   2. With a fence, it looks for a cause: if there    2. It makes a request, which is dropped where the
      is one, it makes a request itself.                 context is of code that is not to be interrupted.

   One of the two sees the other. *)
let[@inline] begin_user_code w =
  if w.context.interruptible && Token.is_alerted_now w.context.token then request_and_leave w
  else leave w

let[@inline] end_user_code w = w.in_section <- true
let[@inline never] word n = Sys.opaque_identity n
let[@inline never] number n = Sys.opaque_identity (float n)

(* A function makes sure at its start that the stack has room for all that it may keep there: here
   for 256 words, although the branch that needs them is never taken. These are floats, as OCaml has a list of all
   values that its collector is to look at, at each call. *)
let[@inline always] keep_256_words () =
  if Sys.opaque_identity false then begin
    let w = number and n = 0 in
    ignore (Sys.opaque_identity (
    w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n
    +.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n
    +.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n
    +.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n
    +.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n
    +.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n
    +.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n
    +.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n
    +.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n
    +.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n
    +.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n+.w n
    ) : float)
  end
[@@ocamlformat "disable"]

let[@inline never] reserve_stack () = keep_256_words ()

(* To call itself is not the last thing done, or it would not keep what it has. *)
let rec reserve_stack_for calls =
  keep_256_words ();
  if calls > 1 then begin
    reserve_stack_for (calls - 1);
    ignore (word calls : int)
  end

let has_room () = match reserve_stack () with () -> true | exception Stack_overflow -> false

let[@inline] enter_on w =
  let is_outermost = not w.in_section in
  if is_outermost then w.in_section <- true;
  is_outermost

let[@inline] enter () = enter_on (here ())

(* The caller may have come back on another worker. *)
let[@inline] exit is_outermost = if is_outermost then begin_user_code (here ())

let run_reserved f x =
  let is_outermost = enter () in
  match Shared.insist f x with
  | () -> exit is_outermost
  | exception exn -> Failure.raise_after exit is_outermost exn

(* That [f x] is not the last thing done keeps a safepoint away from the start of this function. *)
let run f x =
  let is_outermost = enter () in
  match
    reserve_stack ();
    f x
  with
  | v ->
      exit is_outermost;
      v
  | exception exn -> Failure.raise_after exit is_outermost exn

(* Nothing is allocated between the end of [f] and the section. *)
let finally finish f =
  let in_section finish = run_reserved finish () in
  match f () with
  | v ->
      in_section finish;
      v
  | exception exn -> Failure.raise_after in_section finish exn
