exception Timeout

let set (s, seconds) = Poller.at (Clock.now () +. seconds) (fun () -> Scope.cancel s Timeout)

(* What has returned when a limit is reached is the result, although it may have been interrupted: it
   may have taken a lock or a message. *)
let within ?seconds ~change ~is_limit f =
  let result = ref None in
  let run s =
    let timer = Option.map (fun seconds -> Section.run set (s, seconds)) seconds in
    match f s with
    | v ->
        let is_outermost = Section.enter () in
        result := Some v;
        Option.iter Timers.cancel timer;
        Section.exit is_outermost
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        Option.iter Timers.cancel timer;
        Printexc.raise_with_backtrace exn backtrace
  in
  match Scope.run_in change run with
  | () -> Option.get !result
  | exception exn when is_limit exn && Option.is_some !result -> Option.get !result

let check_seconds caller seconds =
  if Float.is_nan seconds then invalid_arg ("Drover.Scope." ^ caller ^ ": not a number");
  if seconds <= 0. then raise Timeout

let is_limit = function Timeout -> true | _ -> false

let timed caller seconds f =
  check_seconds caller seconds;
  within ~seconds ~change:(fun _ context -> context) ~is_limit (fun (_ : Scope.t) -> f ())

let with_timeout seconds f = timed "with_timeout" seconds f
let with_deadline time f = timed "with_deadline" (time -. Unix.gettimeofday ()) f
