(* Interruptible.

   How code comes to be interrupted: [Context.interruptible] says which code it is;
   [Section] when it may be interrupted and [Ticker] where; [Interrupter] has it come there. *)

let allow (outer : Context.t) = { outer with interruptible = true }

(* From a section, lest the caller, which may be interruptible itself, is interrupted before [f]. *)
let during f =
  let is_outermost = Section.enter () in
  Interrupter.during (fun () ->
      Poller.expect ();
      Section.exit is_outermost;
      f ())

let interruptible f =
  Pool.inside (fun () ->
      if (Task.context ()).interruptible then f () else during (fun () -> Extent.within allow f))

(* Acquires and releases out of reach of any cancellation. What has been locked is [f]'s meanwhile, and
   the caller's in the end. *)
let bracket ~acquire ~release f =
  let outside = ref Context.none in
  let restore (_ : Context.t) = !outside in
  let protected () =
    let masked = (Task.context ()).token and outer = !outside.token in
    let resource = acquire () in
    match
      Token.hand_on masked outer;
      Extent.within restore (fun () -> f resource)
    with
    | v ->
        Token.hand_on outer masked;
        release resource;
        v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        Token.hand_on outer masked;
        release resource;
        Printexc.raise_with_backtrace exn backtrace
  in
  Pool.inside (fun () ->
      outside := Task.context ();
      Scope.protect protected)
