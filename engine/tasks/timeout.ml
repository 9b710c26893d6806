exception Timeout

let start s seconds = Poller.at (Clock.now () +. seconds) (fun () -> Scope.cancel s Timeout)

(* What has returned when a limit is reached is the result, although it may have been interrupted: it
   may have taken a lock or a message. *)
let within ?seconds ~is_limit f =
  let result = ref None in
  let run s =
    let timer = Option.map (start s) seconds in
    Critical.and_then (fun () -> Option.iter Poller.cancel timer) (fun () -> result := Some (f s))
  in
  match Scope.run run with
  | () -> Option.get !result
  | exception exn when is_limit exn && Option.is_some !result -> Option.get !result

let check_seconds caller seconds =
  if Float.is_nan seconds then invalid_arg ("Drover.Scope." ^ caller ^ ": not a number");
  if seconds <= 0. then raise Timeout

let is_limit = function Timeout -> true | _ -> false

let timed caller seconds f =
  check_seconds caller seconds;
  within ~seconds ~is_limit (fun (_ : Scope.t) -> f ())

let with_timeout seconds f = timed "with_timeout" seconds f
let with_deadline time f = timed "with_deadline" (time -. Unix.gettimeofday ()) f
