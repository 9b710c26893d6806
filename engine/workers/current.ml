(* Current.

   The forks of a worker that are Private were all made in one context, [forked_in], which is that of
   the code ([context]) or of an outer level of it. Whoever changes [context] sets the limit to 0: so
   the next fork is slow, and publishes the older ones first (see [Fork_stack.settle]). *)

open Worker
open Masking

let[@inline] adopt w (context : Context.t) =
  w.context <- context;
  w.limit <- 0;
  let deque = deque_for w ~urgent:context.urgent in
  if w.deque != deque then w.deque <- deque;
  Token.attend context.token.fiber (attention_in w context)

let forget w =
  w.context <- Context.none;
  w.forked_in <- Context.none

(* At the begin of code in a context, or when that goes on. May be called again. *)
let look_around w =
  if Token.is_interrupted w.context.token.fiber then ask_loops w;
  unmask w

let turn_to w (context : Context.t) =
  mask w;
  adopt w context;
  look_around w

let[@inline] run_in w context =
  w.context <- context;
  w.limit <- 0

(* May be called again. *)
let return_to w (before : Context.t) =
  if is_mine w then begin
    w.context <- before;
    w.limit <- 0;
    if before.interruptible || Token.is_interrupted before.token.fiber then
      Critical.finish_with look_around w
  end
  else
    (* Carried away: perhaps to a thread that is no worker, whose code is in no context. *)
    let w = here () in
    if w != nobody then begin
      adopt w before;
      ask_loops w;
      unmask w
    end

let end_apart w (context : Context.t) (before : Context.t) =
  match Token.hand_on context.token.fiber before.token.fiber with
  | () -> return_to w before
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Critical.give_up return_to w before;
      Printexc.raise_with_backtrace exn backtrace

let apart w context f x =
  let before = w.context in
  match
    mask w;
    run_in w context;
    f x
  with
  | () -> end_apart w context before
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      end_apart w context before;
      Printexc.raise_with_backtrace exn backtrace
