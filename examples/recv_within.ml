(* A message, if it comes in time. One that comes at the last moment is received,
   and one that comes later stays in the channel. *)

let recv_within seconds channel =
  match
    Drover.Scope.with_timeout seconds (fun () -> Drover.Chan.recv channel)
  with
  | message -> Some message
  | exception Drover.Scope.Timeout -> None

let () =
  let channel = Drover.Chan.bounded 1 in
  let show = function Some n -> string_of_int n | None -> "nothing" in
  print_endline (show (recv_within 0.01 channel));
  Drover.Chan.send channel 7;
  print_endline (show (recv_within 60. channel))
