exception Timeout

let set (s, seconds) = Poller.after seconds (fun () -> Scope.cancel s Timeout)

(* What has returned when a limit is reached is the result, although it may have been interrupted: it
   may have taken a lock or a message. The timer is set outside of the scope's fiber, whose stack is small:
   were it to grow, that would cost as much as the timer. *)
let within ?seconds ~change ~is_limit f =
  let result = ref None and timer = ref None in
  let change s =
    timer := Option.map (fun seconds -> Section.run set (s, seconds)) seconds;
    change s
  and run s =
    let v = f s in
    let is_outermost = Section.enter () in
    result := Some v;
    Section.exit is_outermost
  in
  match Scope.run_in change run with
  | () ->
      Option.iter Timers.cancel !timer;
      Option.get !result
  | exception exn -> (
      let backtrace = Printexc.get_raw_backtrace () in
      Option.iter Timers.cancel !timer;
      match !result with
      | Some v when is_limit exn -> v
      | Some _ | None -> Printexc.raise_with_backtrace exn backtrace)

let check_seconds caller seconds =
  if Float.is_nan seconds then invalid_arg ("Drover.Scope." ^ caller ^ ": not a number");
  if seconds <= 0. then raise Timeout

let is_limit = function Timeout -> true | _ -> false

let timed caller seconds f =
  check_seconds caller seconds;
  within ~seconds ~change:Scope.as_it_is ~is_limit (fun (_ : Scope.t) -> f ())

let with_timeout seconds f = timed "with_timeout" seconds f
let with_deadline time f = timed "with_deadline" (time -. Unix.gettimeofday ()) f
