(* What a bridge needs of the inside. *)

(* The token is over when its work has ended: then this does nothing. *)
let canceller () =
  match Worker.mine () with
  | Some { context = { token; _ }; _ } ->
      Token.make_known token;
      fun exn -> Token.cancel token exn
  | None -> invalid_arg "Drover_bridge.canceller: not in a task"

let adapt_minor_heap = Ticker.accompany

(* A message begins with the function that was called. *)
let renamed caller message =
  let colon = String.index message ':' in
  caller ^ String.sub message colon (String.length message - colon)

let staff_for caller pool =
  try Drover.Pool.staff pool with
  | Invalid_argument message -> invalid_arg (renamed caller message)
  | Failure message -> failwith (renamed caller message)
