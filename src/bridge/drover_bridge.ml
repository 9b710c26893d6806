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

let select read write seconds =
  let reads = List.map (Poll.request ~for_writing:false) read in
  let writes = List.map (Poll.request ~for_writing:true) write in
  let by_descriptor (a : Poll.request) (b : Poll.request) = compare a.descriptor b.descriptor in
  Poll.wait (Array.of_list (List.sort by_descriptor (reads @ writes))) seconds;
  let ready (r : Poll.request) = if r.state = Waiting then None else Some r.descriptor in
  (List.filter_map ready reads, List.filter_map ready writes)

let reporter () =
  Drover_seen.Situation.follow ();
  fun print -> Drover_seen.Situation.tell ~in_full:true print
