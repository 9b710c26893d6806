(* External: waits for what comes from outside, a time or a descriptor. *)

(* [start] has [wake] called then; a wait that is cancelled leaves nothing behind. *)
let suspend aim start ~undo =
  let started = ref None in
  let register waiter = started := Some (start (fun () -> ignore (Waiter.wake waiter : bool))) in
  try Wait.wait aim register
  with exn ->
    let failure = Failure.caught exn in
    Option.iter undo !started;
    Failure.raise failure

let suspend_for seconds = suspend "sleeps" (Poller.after seconds) ~undo:Timers.cancel

(* A day at a time: more is not for every system. *)
let rec delay seconds =
  Thread.delay (Float.min 86400. seconds);
  if seconds > 86400. then delay (seconds -. 86400.)

let sleep seconds =
  if Float.is_nan seconds then invalid_arg "Drover.sleep: not a number";
  match Worker.mine () with
  | Some _ when seconds > 0. -> Section.run suspend_for seconds
  | Some w ->
      Task.poll ();
      Section.run Yield.give_way w;
      Task.poll ()
  | None when Host.is_here () -> suspend_for (Float.max 0. seconds)
  | None -> delay (Float.max 0. seconds)

(* Descriptors *)

let suspend_until descriptor ~for_writing =
  let start ready =
    let w = { Poller.descriptor; for_writing; ready } in
    Poller.watch w;
    w
  in
  suspend "waits for a descriptor" start ~undo:Poller.forget

let wait caller descriptor ~for_writing =
  let is_ready seconds =
    let read, write = if for_writing then ([], [ descriptor ]) else ([ descriptor ], []) in
    match Bell.select read write seconds with [], [] -> false | _ -> true
  in
  let rec block () = if not (is_ready Bell.glance) then block () in
  Task.poll ();
  (* This look also tells a descriptor that cannot be waited for. *)
  match is_ready 0. with
  | true -> ()
  | false when Option.is_some (Worker.mine ()) || Host.is_here () ->
      Section.run (fun () -> suspend_until descriptor ~for_writing) ()
  | false -> block ()
  | exception Unix.Unix_error (EINVAL, _, _) ->
      invalid_arg ("Drover." ^ caller ^ ": a descriptor above 1023, the limit of select")

let wait_readable descriptor = wait "wait_readable" descriptor ~for_writing:false
let wait_writable descriptor = wait "wait_writable" descriptor ~for_writing:true
