(* Current.

   The forks of a worker that are Private were all made in one context, [forked_in], which is that of
   the code ([context]) or of an outer level of it. Whoever changes [context] sets the limit to 0: so
   the next fork is slow, and publishes the older ones first (see [Fork_stack.settle]). *)

open Worker

(* What was allocated in the context before goes to the account of that. *)
let[@inline never] change_account w =
  let words = Account.words () and { Context.interruptible; account; _ } = w.context in
  if interruptible && account != Account.none then
    Account.add account (words - w.interruption.counted);
  w.interruption.counted <- words

let[@inline] run_in w (context : Context.t) =
  if context.account != Account.none || w.context.account != Account.none then change_account w;
  w.context <- context;
  w.limit <- 0

let[@inline] adopt w (context : Context.t) =
  run_in w context;
  let deque = deque_for w ~urgent:context.urgent in
  if w.deque != deque then w.deque <- deque;
  Token.attend context.token (attention_in w context)

let forget w =
  run_in w Context.none;
  w.forked_in <- Context.none

let turn_to w (context : Context.t) =
  adopt w context;
  if Token.is_interrupted context.token then ask_loops w

let return_to w (before : Context.t) =
  if is_mine w then begin
    run_in w before;
    if Token.is_interrupted before.token then ask_loops w
  end
  else
    (* Carried away: perhaps to a thread that is no worker, whose code is in no context. *)
    let w = here () in
    if w != nobody then begin
      adopt w before;
      ask_loops w
    end
