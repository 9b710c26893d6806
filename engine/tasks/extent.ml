(* Extent.

   The code of an extent runs in a fiber of its own (of OCaml's), whose handler sees each effect
   leave, and each continuation come back. The scheduler's own effects pass: the task comes back
   with the context that it had.

   Outside --enter--> Inside --return, raise, perform--> Outside *)

open Effect.Deep

(* [change] makes the context inside of that outside; [outer] is that outside, where the code was
   entered last, and [inner] what was made of it. *)
type t = { change : Context.t -> Context.t; mutable outer : Context.t; mutable inner : Context.t }

(* May be called again. *)
let enter t =
  match Worker.mine () with
  | Some w ->
      if w.context != t.inner || w.context == Context.none then begin
        let inner = t.change w.context in
        t.outer <- w.context;
        t.inner <- inner
      end;
      Current.turn_to w t.inner
  | None -> ()

let leave t = match Worker.mine () with Some w -> Current.turn_to w t.outer | None -> ()
let enter_again t (_ : exn) = enter t

(* [eff] comes back, or raises, where the continuation [k] is resumed. Whatever raises meanwhile is
   raised in [k]. *)
let[@inline] resume t eff k =
  match
    Critical.finish_with leave t;
    let answer = Effect.perform eff in
    enter t;
    answer
  with
  | answer -> continue k answer
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Critical.give_up enter_again t exn;
      discontinue_with_backtrace k exn backtrace

(* Calls [f] in the context that [change] makes of the caller's. No safepoint lies between an effect
   and [resume] (see [Task]). *)
let within change f =
  let t = { change; outer = Task.context (); inner = Context.none } in
  Critical.reserve_stack ();
  match
    enter t;
    f ()
  with
  | v ->
      Critical.finish_with leave t;
      v
  | exception exn -> Critical.raise_after leave t exn
  | effect eff, k when not (Task.is_own eff) -> resume t eff k
