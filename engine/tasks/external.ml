(* External: waits for what comes from outside, a time or a descriptor. *)

(* [start] has [wake] called then; a wait that is cancelled leaves nothing behind. *)
let suspend start ~undo =
  let started = ref None in
  let register waiter =
    let wake () = ignore (Waiter.wake waiter : bool) in
    started := Some (start wake)
  in
  match Wait.wait register with
  | () -> ()
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Option.iter undo !started;
      Printexc.raise_with_backtrace exn backtrace

let suspend_for seconds = suspend (Poller.after seconds) ~undo:Timers.cancel
let longest_delay = 86400. (* seconds; more at a time is not for every system *)

let rec delay seconds =
  Thread.delay (Float.min longest_delay seconds);
  if seconds > longest_delay then delay (seconds -. longest_delay)

let sleep seconds =
  if Float.is_nan seconds then invalid_arg "Drover.sleep: not a number";
  match Worker.mine () with
  | Some _ when seconds > 0. -> Section.run suspend_for seconds
  | Some w ->
      Task.poll ();
      Section.run Wait.give_way w;
      Task.poll ()
  | None when Host.is_here () -> suspend_for (Float.max 0. seconds)
  | None -> delay (Float.max 0. seconds)

(* Descriptors *)

let select descriptor ~for_writing seconds =
  let read, write = if for_writing then ([], [ descriptor ]) else ([ descriptor ], []) in
  match Bell.select read write seconds with [], [] -> false | _ -> true

let suspend_until descriptor ~for_writing () =
  let start ready =
    let w = { Poller.descriptor; for_writing; ready } in
    Poller.watch w;
    w
  in
  suspend start ~undo:Poller.forget

let rec block descriptor ~for_writing =
  if not (select descriptor ~for_writing Bell.glance) then block descriptor ~for_writing

let wait caller descriptor ~for_writing =
  Task.poll ();
  (* This look also tells a descriptor that cannot be waited for. *)
  match select descriptor ~for_writing 0. with
  | true -> ()
  | false when Option.is_some (Worker.mine ()) || Host.is_here () ->
      Section.run (suspend_until descriptor ~for_writing) ()
  | false -> block descriptor ~for_writing
  | exception Unix.Unix_error (EINVAL, _, _) ->
      invalid_arg ("Drover." ^ caller ^ ": a descriptor above 1023, the limit of select")

let wait_readable descriptor = wait "wait_readable" descriptor ~for_writing:false
let wait_writable descriptor = wait "wait_writable" descriptor ~for_writing:true
