exception Timeout

let start s seconds = Poller.at (Clock.now () +. seconds) (fun () -> Scope.cancel s Timeout)

(* What has returned when the time is up is the result, although it may have been interrupted: it may
   have taken a lock or a message. *)
let within seconds f =
  let result = ref None in
  let run s =
    let timer = start s seconds in
    Waiting.and_then (fun () -> Poller.cancel timer) (fun () -> result := Some (f ()))
  in
  match Scope.run run with
  | () -> Option.get !result
  | exception Timeout when Option.is_some !result -> Option.get !result

let check_seconds caller seconds =
  if Float.is_nan seconds then invalid_arg ("Drover.Scope." ^ caller ^ ": not a number");
  if seconds <= 0. then raise Timeout

let timed caller seconds f =
  check_seconds caller seconds;
  within seconds f

let with_timeout seconds f = timed "with_timeout" seconds f
let with_deadline time f = timed "with_deadline" (time -. Unix.gettimeofday ()) f
