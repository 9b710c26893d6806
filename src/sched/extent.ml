(* Extent: code that runs in a context of its own, as the body of a scope does.

   The context follows the code. An effect of the user's that is handled outside of the extent takes
   the code along: when the handler runs, the context is the one around the extent again, and when
   the continuation is resumed, wherever that is, the extent is entered anew, from there. So the code
   of an extent runs in a fiber of its own (of OCaml's), whose handler sees each effect leave. The
   scheduler's own effects pass: the task comes back with the context that it had.

   Outside --enter--> Inside --return, raise, perform--> Outside

   A thread without a task has no context: there nothing happens. *)

open Effect.Deep

(* [change] makes the context inside of that outside; [outer] is that outside, where the code was
   entered last. *)
type t = { change : Context.t -> Context.t; mutable outer : Context.t }

let enter t =
  match Worker.mine () with
  | Some w ->
      t.outer <- w.context;
      Worker.turn_to w (t.change w.context)
  | None -> ()

let leave t = match Worker.mine () with Some w -> Worker.turn_to w t.outer | None -> ()

(* In any case. *)
let leave t = Critical.finish_with leave t

(* [perform] has come back, or raised, where the continuation [k] is resumed. *)
let resume t k perform =
  match
    let answer = perform () in
    enter t;
    answer
  with
  | answer -> continue k answer
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      enter t;
      discontinue_with_backtrace k exn backtrace

let handler t =
  {
    retc =
      (fun v ->
        leave t;
        v);
    exnc =
      (fun exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        leave t;
        Printexc.raise_with_backtrace exn backtrace);
    effc =
      (fun (type a) (eff : a Effect.t) ->
        match eff with
        | Task.Suspend _ | Task.Suspend_chain _ | Task.Go_on -> None
        | eff ->
            Some
              (fun (k : (a, _) continuation) ->
                leave t;
                resume t k (fun () -> Effect.perform eff)));
  }

(* Calls [f] in the context that [change] makes of the caller's. *)
let within change f =
  let t = { change; outer = Task.context () } in
  Critical.reserve_stack ();
  match_with
    (fun () ->
      enter t;
      f ())
    () (handler t)
