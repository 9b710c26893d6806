(* Sleep: a wait that the poller ends; one of no time lets others go first. *)

let in_task seconds =
  Waiting.until (fun waiter ->
      let wake () = ignore (Waiter.wake waiter : bool) in
      let timer = Poller.at (Clock.now () +. seconds) wake in
      fun () -> Poller.cancel timer)

let longest_delay = 86400. (* seconds; more at a time is not for every system *)

let rec delay seconds =
  Thread.delay (Float.min longest_delay seconds);
  if seconds > longest_delay then delay (seconds -. longest_delay)

let sleep seconds =
  if Float.is_nan seconds then invalid_arg "Drover.sleep: not a number";
  match Worker.mine () with
  | Some _ when seconds > 0. -> in_task seconds
  | Some w ->
      Task.poll ();
      Task.give_way w;
      Task.poll ()
  | None -> delay (Float.max 0. seconds)
