let suspend seconds =
  let timer = ref None in
  let start waiter =
    let wake () = ignore (Waiter.wake waiter : bool) in
    timer := Some (Poller.after seconds wake)
  in
  match Wait.wait start with
  | () -> ()
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Option.iter Timers.cancel !timer;
      Printexc.raise_with_backtrace exn backtrace

let longest_delay = 86400. (* seconds; more at a time is not for every system *)

let rec delay seconds =
  Thread.delay (Float.min longest_delay seconds);
  if seconds > longest_delay then delay (seconds -. longest_delay)

let wait seconds =
  if Float.is_nan seconds then invalid_arg "Drover.sleep: not a number";
  match Worker.mine () with
  | Some _ when seconds > 0. -> Section.run suspend seconds
  | Some w ->
      Task.poll ();
      Section.run Task.give_way w;
      Task.poll ()
  | None when Host.is_here () -> suspend (Float.max 0. seconds)
  | None -> delay (Float.max 0. seconds)
