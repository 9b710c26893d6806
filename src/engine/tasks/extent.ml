(* Extent.

   The code of an extent runs in a fiber of its own (of OCaml's), whose handler sees each effect
   leave, and each continuation come back. The scheduler's own effects pass: the task comes back
   with the context that it had.

   Outside --begin, resume--> Inside --return, raise, perform--> Outside *)

open Effect.Deep

(* [change] makes the context inside of that outside; [outer] is that outside, where the code began or was
   resumed last, and [inner] what was made of it. *)
type t = { change : Context.t -> Context.t; mutable outer : Context.t; mutable inner : Context.t }

let adopt_inner t =
  match Worker.mine () with
  | Some w ->
      if w.context != t.inner || w.context == Context.none then begin
        t.outer <- w.context;
        t.inner <- t.change w.context
      end;
      Worker.change_context w t.inner
  | None -> ()

let adopt_outer t =
  match Worker.mine () with Some w -> Worker.change_context w t.outer | None -> ()

(* [eff] comes back, or raises, where the continuation [k] is resumed. *)
let[@inline] resume t eff k =
  match
    Section.run_reserved adopt_outer t;
    Effect.perform eff
  with
  | answer ->
      Section.run_reserved adopt_inner t;
      continue k answer
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Section.run_reserved adopt_inner t;
      discontinue_with_backtrace k exn backtrace

(* In a fiber. No safepoint lies between an effect and [resume] (see [Task]). *)
let inside t is_outermost f =
  match
    Section.exit is_outermost;
    f ()
  with
  | v -> v
  | effect eff, k when not (Waiter.is_own eff) -> resume t eff k

(* Calls [f] in the context that [change] makes of the caller's. A signal's handler that raises before [f]
   is called finds the caller in that context, and in a section. The stack is reserved for the end, too,
   which comes after [f] has filled it perhaps; and not in the fiber, whose small first stack would grow. *)
let within change f =
  let t = { change; outer = Task.context (); inner = Context.none } in
  Section.reserve_stack ();
  let is_outermost = Section.enter () in
  match
    adopt_inner t;
    inside t is_outermost f
  with
  | v ->
      Section.run_reserved adopt_outer t;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Section.run_reserved adopt_outer t;
      Section.exit is_outermost;
      Printexc.raise_with_backtrace exn backtrace

(* What [f] has locked, and not unlocked, is the caller's then. *)
let protect f =
  match Worker.mine () with
  | None -> f ()
  | Some w ->
      let token = Token.root ignore and whole = w.context.token in
      Section.finally
        (fun () -> Token.hand_on token whole)
        (fun () -> within (fun outer -> { outer with token; interruptible = false }) f)
