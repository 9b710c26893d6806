(* Interruptible.

   How code comes to be interrupted: [Context.interruptible] says which code it is;
   [Section] when it may be interrupted and [Ticker] where; [Interrupter] has it come there. *)

type place = { mutable is_in : bool }

(* One step each. *)

let[@poll error] come_in place =
  ignore (Atomic.fetch_and_add Interrupter.in_use 1 : int);
  place.is_in <- true

let[@poll error] leave place =
  if place.is_in then begin
    place.is_in <- false;
    ignore (Atomic.fetch_and_add Interrupter.in_use (-1) : int)
  end

let allow (outer : Context.t) = { outer with interruptible = true }

let within change f =
  let place = { is_in = false } in
  let body () =
    come_in place;
    Poller.expect ();
    Extent.within change f
  in
  Critical.and_then (fun () -> leave place) body

let interruptible f =
  Pool.inside (fun () -> if (Task.context ()).interruptible then f () else within allow f)

(* Acquires and releases out of reach of any cancellation, and nothing comes between: no safepoint
   lies between the end of [acquire] and the handler, nor between that and [release]. What has been
   locked is [f]'s meanwhile, and the caller's in the end. *)
let bracket ~acquire ~release f =
  let outside = ref Context.none in
  let restore (_ : Context.t) = !outside in
  let protected () =
    let masked = (Task.context ()).token and outer = !outside.token in
    Critical.reserve_stack ();
    let resource = acquire () in
    match
      Token.hand_on masked outer;
      let v = Extent.within restore (fun () -> f resource) in
      Token.hand_on outer masked;
      v
    with
    | v ->
        release resource;
        v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        Critical.give_up Token.hand_on outer masked;
        release resource;
        Printexc.raise_with_backtrace exn backtrace
  in
  Pool.inside (fun () ->
      outside := Task.context ();
      Scope.protect protected)
