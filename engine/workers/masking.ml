(* Masking.

   The code of a context that is [interruptible] gets the exception of a cancellation at its next
   safepoint, from the finaliser of [Ticker]. Only while the worker is [unmasked]: from the first
   step of a task's or a fork's own code, inside of what catches its exceptions, to its last one,
   and not while it is suspended or lies beneath another. So the scheduler, which runs in between
   and may have the context still, is not interrupted. *)

open Worker

let[@inline] attention_in w (context : Context.t) =
  if context.interruptible then w.interruption.call else w.attention

(* First unmasks and then looks; pairs with [Token.count_cause]. *)
let unmask_now w =
  if w.context.account != Account.none then w.interruption.counted <- Account.words ();
  w.unmasked <- true;
  if Token.is_interrupted w.context.token.fiber then Interrupter.request w.interruption.is_wanted

let[@inline] unmask w = if w.context.interruptible then unmask_now w

let mask_now w =
  let account = w.context.account in
  w.unmasked <- false;
  if account != Account.none then Account.add account (Account.words () - w.interruption.counted)

let[@inline] mask w = if w.unmasked then mask_now w
let mask_in_any_case w = match mask w with () -> () | exception _ -> ()
let[@inline] mask_here () = mask (here ())

let[@inline] mask_in_handler () =
  let w = here () in
  if w.unmasked then mask_in_any_case w

let[@inline] unmask_again () = unmask (here ())

(* Gives code that cleans up some time before it is interrupted again, as code that bears all
   exceptions must be. *)
let pause = 0.02 (* seconds *)

(* At a collection. *)
let check_account w =
  let account = w.context.account and now = Account.words () in
  Account.add account (now - w.interruption.counted);
  w.interruption.counted <- now;
  Account.check account;
  if Account.is_near account then Interrupter.ensure w.interruption.is_near

(* The caller is a finaliser. *)
let interrupt w =
  if has_account w then check_account w;
  let now = Clock.now () in
  if is_to_be_interrupted w && now -. w.interruption.happened_at > pause then begin
    w.interruption.happened_at <- now;
    Token.poll w.context.token.fiber
  end
