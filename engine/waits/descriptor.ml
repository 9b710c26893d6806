let select descriptor ~for_writing seconds =
  let read, write = if for_writing then ([], [ descriptor ]) else ([ descriptor ], []) in
  match Bell.select read write seconds with [], [] -> false | _ -> true

(* Also tells a descriptor that cannot be waited for. *)
let is_ready caller descriptor ~for_writing =
  try select descriptor ~for_writing 0.
  with Unix.Unix_error (EINVAL, _, _) ->
    invalid_arg ("Drover." ^ caller ^ ": a descriptor above 1023, the limit of select")

let suspend descriptor ~for_writing () =
  let watch = ref None in
  let start waiter =
    let ready () = ignore (Waiter.wake waiter : bool) in
    let w = { Watches.descriptor; for_writing; ready } in
    watch := Some w;
    Poller.watch w
  in
  match Wait.wait start with
  | () -> ()
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Option.iter Watches.remove !watch;
      Printexc.raise_with_backtrace exn backtrace

let rec block descriptor ~for_writing =
  if not (select descriptor ~for_writing Bell.glance) then block descriptor ~for_writing

let wait caller descriptor ~for_writing =
  Task.poll ();
  if not (is_ready caller descriptor ~for_writing) then
    if Option.is_some (Worker.mine ()) || Host.is_here () then
      Section.run (suspend descriptor ~for_writing) ()
    else block descriptor ~for_writing

let wait_readable descriptor = wait "wait_readable" descriptor ~for_writing:false
let wait_writable descriptor = wait "wait_writable" descriptor ~for_writing:true
